import type { OpenMessage } from '../../attempt/attempt.ts';
import { settled } from '../../kernel/async/settle.ts';
import { thrownMessage } from '../../kernel/errors/thrown.ts';
import { refusal } from '../../messages/contracts/refusal.ts';
import { headerNames } from '../../messages/headers.ts';
import { isCancellation } from '../../messages/message.ts';
import type { SagaDraft } from '../../saga/saga-draft.ts';

/**
 * Refuses a timeout that would not come back to the saga that requests it: one that its schema refuses, or
 * that belongs to another saga.
 */
export async function assertTimeoutsReturn(
  { flow, message, work }: OpenMessage,
  draft: SagaDraft,
): Promise<void> {
  const { saga } = flow;
  if (saga === undefined) return;
  for (const operation of work.operations) {
    if (isCancellation(operation) || operation.headers[headerNames.timeout] === undefined) continue;
    const { id, type, destination, body, headers } = operation;
    const timeout = { ...message, id, type, body, headers };
    const correlated = await settled(saga.correlate(timeout));
    if (correlated.status === 'rejected') {
      const problem = `its timeout could not be handled: ${thrownMessage(correlated.reason)}`;
      throw refusal(type, destination, problem, correlated.reason);
    }
    const { identity } = correlated.value;
    if (identity.id === draft.identity.id) continue;
    throw refusal(type, destination, `its timeout would reach the saga with id '${identity.id}'`);
  }
}

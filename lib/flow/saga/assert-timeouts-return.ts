import { thrownMessage } from '../../core/failures/thrown.ts';
import { headerNames } from '../../core/incoming/headers.ts';
import { isCancellation, type OutgoingMessage } from '../../core/incoming/message.ts';
import { refusal } from '../../core/outgoing/refusal.ts';
import type { SagaDraft } from '../../core/saga/saga-state.ts';
import type { Handling } from '../attempt.ts';

/**
 * Refuses a timeout that would not come back to the saga that requests it: one that its schema refuses, or
 * that belongs to another saga.
 */
export async function assertTimeoutsReturn(
  { flow, message, work }: Handling,
  draft: SagaDraft,
): Promise<void> {
  const { saga } = flow;
  if (saga === undefined) return;
  for (const operation of work.operations) {
    if (isCancellation(operation) || operation.headers[headerNames.timeout] === undefined) continue;
    const { type, destination, body } = operation;
    const correlated = await correlate(operation, async () =>
      saga.correlate({ ...message, id: operation.id, type, body, headers: operation.headers }),
    );
    if (correlated.identity.id === draft.identity.id) continue;
    throw refusal(type, destination, `its timeout would reach the saga with id '${correlated.identity.id}'`);
  }
}

async function correlate<T>({ type, destination }: OutgoingMessage, find: () => Promise<T>): Promise<T> {
  try {
    return await find();
  } catch (error) {
    throw refusal(type, destination, `its timeout could not be handled: ${thrownMessage(error)}`, error);
  }
}

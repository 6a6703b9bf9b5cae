import { SagaboxError } from '../core/failures/errors.ts';
import { headerNames } from '../core/incoming/headers.ts';
import type { IncomingMessage, OutgoingOperation } from '../core/incoming/message.ts';
import type { Attempt } from './attempt.ts';

/**
 * Large bodies go to the claim check bucket before the commit, so that no message can be without its body.
 */
export async function storeBodies(
  { flow, signal }: Pick<Attempt, 'flow' | 'signal'>,
  operations: readonly OutgoingOperation[],
): Promise<readonly OutgoingOperation[]> {
  const { claimChecks } = flow.ports;
  return claimChecks === undefined ? operations : await claimChecks.store(operations, signal);
}

/** @throws SagaboxError `ClaimCheckNotFound`, `ClaimCheckFailed` */
export async function loadBody({
  flow,
  received,
  signal,
}: Pick<Attempt, 'flow' | 'received' | 'signal'>): Promise<IncomingMessage> {
  const key = received.headers[headerNames.claimCheck];
  if (key === undefined) return received;
  const { claimChecks } = flow.ports;
  if (claimChecks !== undefined) return await claimChecks.load(received, signal);
  const detail = 'no claim check is configured at this endpoint';
  throw new SagaboxError('ClaimCheckNotFound', { messageId: received.id, key, detail });
}

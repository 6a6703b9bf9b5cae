import { SagaboxError } from '../core/failures/errors.ts';
import { headerNames } from '../core/incoming/headers.ts';
import type { IncomingMessage, OutgoingOperation } from '../core/incoming/message.ts';
import type { Attempt } from './attempt.ts';

/** Large bodies go to the claim check bucket before the commit, so that no message can be without its body. */
export async function depositBodies(
  { flow, signal }: Pick<Attempt, 'flow' | 'signal'>,
  operations: readonly OutgoingOperation[],
): Promise<readonly OutgoingOperation[]> {
  const { claims } = flow.ports;
  return claims === undefined ? operations : await claims.deposit(operations, signal);
}

/** @throws SagaboxError `ClaimNotFound`, `ClaimCheckFailed` */
export async function redeemBody({
  flow,
  received,
  signal,
}: Pick<Attempt, 'flow' | 'received' | 'signal'>): Promise<IncomingMessage> {
  const key = received.headers[headerNames.claimCheck];
  if (key === undefined) return received;
  const { claims } = flow.ports;
  if (claims !== undefined) return await claims.redeem(received, signal);
  const detail = 'no claim check is configured at this endpoint';
  throw new SagaboxError('ClaimNotFound', { messageId: received.id, key, detail });
}

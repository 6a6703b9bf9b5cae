import { SagaboxError } from '../core/errors.ts';
import { headerNames } from '../core/headers.ts';
import type { IncomingMessage, OutgoingOperation } from '../core/message.ts';
import type { Flow } from './attempt.ts';

/** Large bodies go to the claim check bucket before the commit, so that no message can be without its body. */
export async function depositBodies(
  { ports }: Flow,
  operations: readonly OutgoingOperation[],
): Promise<readonly OutgoingOperation[]> {
  return ports.claims === undefined ? operations : await ports.claims.deposit(operations);
}

/** @throws SagaboxError `ClaimNotFound`, `ClaimCheckFailed` */
export async function redeemBody({ ports }: Flow, message: IncomingMessage): Promise<IncomingMessage> {
  const key = message.headers[headerNames.claimCheck];
  if (key === undefined) return message;
  if (ports.claims !== undefined) return await ports.claims.redeem(message);
  const detail = 'no claim check is configured at this endpoint';
  throw new SagaboxError('ClaimNotFound', { messageId: message.id, key, detail });
}

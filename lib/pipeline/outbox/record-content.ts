import type { Attempt } from '../../attempt/attempt.ts';
import type { OutgoingOperation } from '../../messages/message.ts';
import type { RecordContent } from '../../outbox/record.ts';

/** Returns what the outbox record of a message is to hold. */
export function recordContent(
  { flow: { endpoint }, received, fingerprint }: Attempt,
  operations: readonly OutgoingOperation[],
  storedAt: Date,
): RecordContent {
  return { endpoint, messageId: received.id, operations, storedAt, fingerprint };
}

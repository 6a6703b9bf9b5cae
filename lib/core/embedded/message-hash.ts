import { hash } from 'node:crypto';

/** Enough for no two ids of one saga to share it by chance: 256 of them do in one of 10^17 sagas. */
export const MESSAGE_HASH_BYTES = 9;

/** What the item of a saga knows a message by: the beginning of the SHA-256 of its id. */
export function messageHash(messageId: string): Buffer {
  return hash('sha256', messageId, 'buffer').subarray(0, MESSAGE_HASH_BYTES);
}

/** The same, as the name of what the item holds to be sent for the message. */
export function pendingKey(messageId: string): string {
  return messageHash(messageId).toString('base64url');
}

import { createHmac } from 'node:crypto';

/** The size of the salt of an item, which is secret: no sender can make two ids that share a hash there. */
export const SALT_BYTES = 8;

/** Returns the hash of an id or a type, the beginning of its HMAC-SHA-256 under the salt of a saga's item. */
export function saltedHash(salt: Uint8Array, text: string, bytes: number): Buffer {
  return createHmac('sha256', salt).update(text).digest().subarray(0, bytes);
}

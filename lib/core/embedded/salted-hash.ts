import { createHmac } from 'node:crypto';

/** Drawn for each item: as nobody outside knows it, nobody can make two ids that share a hash there. */
export const SALT_BYTES = 8;

/** What the item of a saga keeps of an id or a type: the beginning of its HMAC-SHA-256 under the item's salt. */
export function saltedHash(salt: Uint8Array, text: string, bytes: number): Buffer {
  return createHmac('sha256', salt).update(text).digest().subarray(0, bytes);
}

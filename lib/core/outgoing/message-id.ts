import { createHash } from 'node:crypto';

/**
 * The id of the `ordinal`-th message (from 0) that an endpoint sends while it handles `incomingId`, the same
 * whenever that is processed again.
 */
export function outgoingMessageId(incomingId: string, endpoint: string, ordinal: number | string): string {
  return derivedId(incomingId, endpoint, ordinal);
}

type Part = string | number | null | readonly Part[];

/** The same for the same parts, and another one for others. A version 8 UUID by RFC 9562. */
export function derivedId(...parts: readonly Part[]): string {
  const bytes = createHash('sha256').update(JSON.stringify(parts)).digest().subarray(0, 16);
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x80;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  const hex = bytes.toString('hex');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}

import { hash } from 'node:crypto';

/**
 * Returns the id of the `ordinal`-th message (from 0) that an endpoint sends while it handles `incomingId`,
 * the same whenever that is processed again.
 */
export function outgoingMessageId(incomingId: string, endpoint: string, ordinal: number | string): string {
  return derivedId(incomingId, endpoint, ordinal);
}

type Part = string | number | null | readonly Part[];

/** Returns a version 8 UUID by RFC 9562, the same for the same parts, and another one for others. */
export function derivedId(...parts: readonly Part[]): string {
  const hex = hash('sha256', JSON.stringify(parts));
  const variant = ((Number.parseInt(hex.charAt(16), 16) & 0x3) | 0x8).toString(16);
  const [time, high, low, node] = [hex.slice(0, 8), hex.slice(8, 12), hex.slice(13, 16), hex.slice(20, 32)];
  return `${time}-${high}-8${low}-${variant}${hex.slice(17, 20)}-${node}`;
}

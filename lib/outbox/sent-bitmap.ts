/** The operations of a record that were taken, a bit each: the first is the lowest bit of the first byte. */
export type SentBitmap = Uint8Array;

export function sentBitmap(flags: readonly boolean[]): SentBitmap {
  const bitmap = new Uint8Array(bitmapBytes(flags.length));
  for (const [index, flag] of flags.entries()) {
    if (flag) bitmap[index >> 3] = (bitmap[index >> 3] ?? 0) | (1 << (index & 7));
  }
  return bitmap;
}

export function isSent(bitmap: SentBitmap | undefined, index: number): boolean {
  return (((bitmap?.[index >> 3] ?? 0) >> (index & 7)) & 1) === 1;
}

export function isAllSent(bitmap: SentBitmap | undefined, count: number): boolean {
  const isKnown = bitmap !== undefined && Number.isInteger(count) && count > 0;
  return isKnown && Array.from({ length: count }).every((_, index) => isSent(bitmap, index));
}

/** Returns what either of two writers knows as sent. A bitmap of another length is damaged, and ignored. */
export function unitedBitmap(one: SentBitmap, other: SentBitmap | undefined): SentBitmap {
  if (one.length !== other?.length) return one;
  return one.map((byte, index) => byte | (other[index] ?? 0));
}

export function isSameBitmap(one: SentBitmap, other: SentBitmap | undefined): boolean {
  return one.length === other?.length && one.every((byte, index) => byte === other[index]);
}

export function bitmapBytes(count: number): number {
  return Math.ceil(count / 8);
}

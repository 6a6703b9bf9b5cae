/** Who has answered, one bit each: of 1,000 requests in 125 bytes of the state. */
export function noArrivals(count: number): Uint8Array {
  return new Uint8Array(Math.ceil(count / 8));
}

export function hasArrived(arrivals: Uint8Array, index: number): boolean {
  return ((arrivals[index >> 3] ?? 0) & (1 << (index & 7))) !== 0;
}

export function withArrival(arrivals: Uint8Array, index: number): Uint8Array {
  const changed = Uint8Array.from(arrivals);
  changed[index >> 3] = (changed[index >> 3] ?? 0) | (1 << (index & 7));
  return changed;
}

/** The indexes of those who have not. */
export function awaited(arrivals: Uint8Array, count: number): number[] {
  return Array.from({ length: count }, (_, index) => index).filter((index) => !hasArrived(arrivals, index));
}

/** Some of the requests, side by side. */
export interface Share {
  /** Index of its first request. */
  readonly first: number;
  readonly count: number;
}

/**
 * How a node splits its requests: into as few parts as take `width` each, up to `width` of them, as even as can be.
 *
 * @returns no share where the node sends them itself
 */
export function sharesOf({ first, count }: Share, width: number): Share[] {
  if (count <= width) return [];
  const parts = Math.min(width, Math.ceil(count / width));
  const startOf = (part: number) => Math.floor((part * count) / parts);
  return Array.from({ length: parts }, (_, part) => ({
    first: first + startOf(part),
    count: startOf(part + 1) - startOf(part),
  }));
}

/** How many levels of parts are below a node. */
export function heightOf(count: number, width: number): number {
  return lastPath(count, width).length;
}

/** To the last node that sends requests, below the parts with the most of them: no path is longer. */
export function lastPath(count: number, width: number): number[] {
  const shares = sharesOf({ first: 0, count }, width);
  if (shares.length === 0) return [];
  return [shares.length - 1, ...lastPath(Math.max(...shares.map((share) => share.count)), width)];
}

/** Where a figure has to stay. */
export type Limit = { readonly atMost: number } | { readonly below: number } | { readonly atLeast: number };

export function isWithin(limit: Limit, value: number): boolean {
  if ('atMost' in limit) return value <= limit.atMost;
  if ('below' in limit) return value < limit.below;
  return value >= limit.atLeast;
}

/** 'at most 0.63' */
export function describeLimit(limit: Limit, format: (value: number) => string): string {
  if ('atMost' in limit) return `at most ${format(limit.atMost)}`;
  if ('below' in limit) return `below ${format(limit.below)}`;
  return `at least ${format(limit.atLeast)}`;
}

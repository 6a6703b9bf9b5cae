import type { Format } from '../report/format.ts';

/** Where a figure has to stay. */
export type Limit = { readonly atMost: number } | { readonly below: number } | { readonly atLeast: number };

/** A run whose figure is worse fails. `seen` is the range of earlier runs; a cost is always the same. */
export type Bound = Limit & { readonly seen?: readonly [best: number, worst: number] };

/** What sagabox is to reach. A run does not fail by a missed goal; the page shows why it is missed. */
export type Goal = Limit & {
  /** In Markdown. Goals that are missed for the same reason share its paragraph. */
  readonly reason?: string;
};

/** A ratio or a count, made of the figures of one part, that says how sagabox stands. */
export interface Judged<Part> {
  readonly title: string;
  readonly value: (figures: Part) => number;
  /** @default formatRatio */
  readonly format?: Format;
  /** By depth where short runs differ; no short bound if a short run cannot tell. */
  readonly bound: Bound | { readonly short?: Bound; readonly full: Bound };
  readonly goal?: Goal;
}

export function isWithin(limit: Limit, value: number): boolean {
  if ('atMost' in limit) return value <= limit.atMost;
  if ('below' in limit) return value < limit.below;
  return value >= limit.atLeast;
}

/** 'at most 0.63' */
export function describeLimit(limit: Limit, format: Format): string {
  if ('atMost' in limit) return `at most ${format(limit.atMost)}`;
  if ('below' in limit) return `below ${format(limit.below)}`;
  return `at least ${format(limit.atLeast)}`;
}

import type { ScaleLoad } from './scale-load.ts';

/** Where a limit is from. */
export interface LimitSource {
  /** Of the page of the provider's documentation, or of a page of sagabox. */
  readonly title: string;
  /** The day on which the page said so. */
  readonly read: string;
  /** False for a figure that the page could not be read for, and for an estimate. */
  readonly verified: boolean;
}

/** A table has one of them: limits of the other do not apply to it. */
export type BillingMode = 'onDemand' | 'provisioned';

/** A limit of a service, and what a workload takes of it at its busiest time, or what a table declares of it. */
export interface ScaleLimit {
  /** Such as `sagaWrites`. */
  readonly name: string;
  /** What has the limit, such as `outbox table`. */
  readonly of: string;
  readonly unit: string;
  /** What the workload takes, or the most that its table is declared to take. */
  readonly figure: number;
  /** What the service allows an account that has asked for no more, in the region of the workload. */
  readonly limit: number;
  readonly usedPercent: number;
  /** Of a limit that the whole account shares, also if all of it is taken: there is no room for anything else. */
  readonly isPassed: boolean;
  /** The billing mode of the tables that meet it; left out for a limit that does not depend on it. */
  readonly billing?: BillingMode;
  /** Whether the limit is none of a service, but follows from how sagabox works, about. */
  readonly isEstimate: boolean;
  /** Whether the provider raises the limit on request. */
  readonly adjustable: boolean;
  /**
   * Messages a second at the busiest time at which the limit is reached if all else stays as it is: of that one
   * saga for limits of a saga, else of the workload. Left out for sizes, and for what a table declares.
   */
  readonly reachedAtMessagesPerSecond?: number;
  readonly source: LimitSource;
  /** The way out. */
  readonly remedy: string;
}

/** What of a workload has a limit, and what it takes. */
export interface LimitFigure {
  readonly of: string;
  readonly figure: number;
  /** Messages a second with which the figure grows; undefined for a size, and for what is declared. */
  readonly messagesPerSecond: number | undefined;
  /** @default - that of the rule */
  readonly limit?: number;
}

/** Of one region, and of those that the documentation does not name. */
export interface RegionLimit {
  readonly regions: Readonly<Record<string, number>>;
  readonly others: number;
  /** @default true */
  readonly othersVerified?: boolean;
}

/** A limit as the documentation has it, and how to tell what a workload takes of it. */
export interface LimitRule<Load = ScaleLoad> {
  readonly name: string;
  readonly unit: string;
  readonly limit: number | RegionLimit;
  readonly adjustable: boolean;
  readonly title: string;
  readonly remedy: string;
  readonly billing?: BillingMode;
  /** @default false */
  readonly isEstimate?: boolean;
  /** Whether all of an account in a region share it. @default false */
  readonly isShared?: boolean;
  readonly figuresOf: (load: Load) => readonly LimitFigure[];
}

/** The day on which all pages were read. */
export const limitsRead = '2026-11-26';

/** @param rows the regions of each limit */
export function byRegion(
  rows: Readonly<Record<number, readonly string[]>>,
  others: number,
  othersVerified = true,
): RegionLimit {
  const regions = Object.entries(rows).flatMap(([limit, names]) =>
    names.map((region) => [region, Number(limit)] as const),
  );
  return { regions: Object.fromEntries(regions), others, othersVerified };
}

/** An empty list for a figure of 0: the workload does not meet the limit. */
export function figureOf(of: string, figure: number, messagesPerSecond: number | undefined): LimitFigure[] {
  return figure > 0 ? [{ of, figure, messagesPerSecond }] : [];
}

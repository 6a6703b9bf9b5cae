import type { Duration } from 'sagabox';

/** The parts of a `Temporal.Duration`, which the compiler knows by `lib.esnext.temporal` only. */
interface TemporalDuration {
  readonly years: number;
  readonly months: number;
  readonly weeks: number;
  readonly days: number;
  readonly hours: number;
  readonly minutes: number;
  readonly seconds: number;
  readonly milliseconds: number;
  readonly microseconds: number;
  readonly nanoseconds: number;
  total(unit: string): number;
}

declare const temporal: TemporalDuration;
declare const minutes: number;

export const durations: readonly Duration[] = [{ minutes }, { days: 1, hours: 2 }, temporal];

// @ts-expect-error: it names no unit
export const none: Duration = {};
// @ts-expect-error: a unit is a number
export const missing: Duration = { minutes: undefined };
// @ts-expect-error: it has no such unit
export const unknown: Duration = { minutes, weeks: 1 };
// @ts-expect-error: a date is no span of time
export const date: Duration = new Date();
// @ts-expect-error: and neither is a map
export const map: Duration = new Map([['minutes', 5]]);
// @ts-expect-error: or a string
export const text: Duration = 'PT5M';

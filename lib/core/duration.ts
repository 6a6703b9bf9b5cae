import { isJsonObject } from './checks/value-kind.ts';
import { describeValue } from './failures/thrown.ts';

/** A span of time; the parts add up. */
export interface Duration {
  milliseconds?: number;
  seconds?: number;
  minutes?: number;
  hours?: number;
  days?: number;
}

const millisecondsOf: Readonly<Record<string, number>> = {
  milliseconds: 1,
  seconds: 1000,
  minutes: 60_000,
  hours: 3_600_000,
  days: 86_400_000,
};

/** NaN for what is no duration: a part that is misspelt or no number must not pass for none. */
export function toMilliseconds(duration: Duration): number {
  if (durationProblem(duration) !== undefined) return Number.NaN;
  let milliseconds = 0;
  for (const [unit, value = 0] of Object.entries(duration))
    milliseconds += value * (millisecondsOf[unit] ?? 0);
  return milliseconds;
}

/** What keeps a value from being a duration; undefined for one that is. */
export function durationProblem(duration: unknown): string | undefined {
  if (!isJsonObject(duration)) return `${describeValue(duration)} is no duration such as { minutes: 5 }`;
  const units = Object.keys(millisecondsOf);
  const unknown = Object.keys(duration).find((unit) => !units.includes(unit));
  if (unknown !== undefined) return `'${unknown}' is no unit of time (known: ${units.join(', ')})`;
  const isNumber = (value: unknown) =>
    value === undefined || (typeof value === 'number' && !Number.isNaN(value));
  const odd = Object.entries(duration).find(([, value]) => !isNumber(value));
  return odd && `its ${odd[0]} are ${describeValue(odd[1])}, not a number`;
}

/** Rounded away from zero to a whole second, so that what is negative stays so. */
export function toSeconds(duration: Duration): number {
  const seconds = toMilliseconds(duration) / 1000;
  return seconds < 0 ? Math.floor(seconds) : Math.ceil(seconds);
}

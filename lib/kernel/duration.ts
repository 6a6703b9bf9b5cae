import { describeValue, thrownMessage } from './errors/thrown.ts';
import { isJsonObject, isLiteral, kindOf } from './values/value-kind.ts';

interface DurationParts {
  milliseconds?: number;
  seconds?: number;
  minutes?: number;
  hours?: number;
  days?: number;
}

/** A span of time; the parts add up, and there is at least one. A `Temporal.Duration` is one too. */
export type Duration = DurationParts &
  { [Unit in keyof DurationParts]-?: Required<Pick<DurationParts, Unit>> }[keyof DurationParts];

const millisecondsOf: Readonly<Record<string, number>> = {
  milliseconds: 1,
  seconds: 1000,
  minutes: 60_000,
  hours: 3_600_000,
  days: 86_400_000,
};

/** What a `Temporal.Duration` has beside them; a month or a year has no length without a date. */
const temporalMillisecondsOf: Readonly<Record<string, number>> = {
  ...millisecondsOf,
  weeks: 7 * 86_400_000,
  microseconds: 1e-3,
  nanoseconds: 1e-6,
};
const unitsOfCalendars = ['years', 'months'];

/** NaN for what is no duration: a part that is misspelt or no number must not pass for none. */
export function toMilliseconds(duration: Duration): number {
  const parts = partsOf(duration);
  if (typeof parts === 'string') return Number.NaN;
  return sumOf(parts);
}

/** What keeps a value from being a duration; undefined for one that is. */
export function durationProblem(duration: unknown): string | undefined {
  const parts = partsOf(duration);
  if (typeof parts === 'string') return parts;
  return Number.isFinite(sumOf(parts)) ? undefined : 'its parts add up to no finite number';
}

/** Rounded away from zero to a whole second, so that what is negative stays so. */
export function toSeconds(duration: Duration): number {
  const seconds = toMilliseconds(duration) / 1000;
  return seconds < 0 ? Math.floor(seconds) : Math.ceil(seconds);
}

type Parts = readonly (readonly [unit: string, value: number])[];

function sumOf(parts: Parts): number {
  return parts.reduce((sum, [unit, value]) => sum + value * (temporalMillisecondsOf[unit] ?? 0), 0);
}

/** The parts that a duration names, or what keeps a value from being one. */
function partsOf(duration: unknown): Parts | string {
  try {
    return readParts(duration);
  } catch (error) {
    // A getter of the user's, or a proxy.
    return `it cannot be read (${thrownMessage(error)})`;
  }
}

function readParts(duration: unknown): Parts | string {
  if (!isJsonObject(duration)) return `${describeValue(duration)} is no duration such as { minutes: 5 }`;
  // By its tag: Node 22 has none of its own, and there are several libraries that are one.
  if (Object.prototype.toString.call(duration) === '[object Temporal.Duration]')
    return partsOfTemporal(duration);
  const parts = namedParts(Object.entries(duration), Object.keys(millisecondsOf));
  if (typeof parts !== 'string') return parts;
  return isLiteral(duration) ? parts : `${kindOf(duration)} is no duration such as { minutes: 5 }`;
}

/** Its parts are getters, which it does not own. */
function partsOfTemporal(duration: Readonly<Record<string, unknown>>): Parts | string {
  const given = unitsOfCalendars.find((unit) => duration[unit] !== 0);
  if (given !== undefined)
    return `${describeValue(duration)} has ${given}, whose length depends on the date: give days or less`;
  const units = Object.keys(temporalMillisecondsOf);
  return namedParts(
    units.map((unit) => [unit, duration[unit]]),
    units,
  );
}

function namedParts(
  given: readonly (readonly [string, unknown])[],
  units: readonly string[],
): Parts | string {
  const parts: [string, number][] = [];
  for (const [unit, value] of given) {
    if (!units.includes(unit)) return `'${unit}' is no unit of time (known: ${units.join(', ')})`;
    if (value === undefined) continue;
    if (typeof value !== 'number' || !Number.isFinite(value))
      return `its ${unit} are ${describeValue(value)}, not a finite number`;
    parts.push([unit, value]);
  }
  return parts.length > 0 ? parts : 'it names no number of a unit, as { minutes: 5 } does';
}

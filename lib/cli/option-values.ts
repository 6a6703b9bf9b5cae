import { InvalidArgumentError, Option } from 'commander';
import { type Duration, toMilliseconds } from '../kernel/duration.ts';

export const jsonOption = new Option('--json', 'write the result as one JSON object');

/** An option with a string. What looks like the next option is not its value. */
export function stringOption(flags: string, description: string): Option {
  return new Option(flags, description).argParser((given) =>
    given === '' || given.startsWith('--') ? refuse('a value') : given,
  );
}

/** The same, given as often as there are values. */
export function repeatedOption(flags: string, description: string): Option {
  return new Option(flags, `${description} (can be repeated)`).argParser(
    (given, before: readonly string[] = []) =>
      given === '' || given.startsWith('--') ? refuse('a value') : [...before, given],
  );
}

export function url(given: string): string {
  return /^https?:/.test(given) && URL.canParse(given) ? given : refuse('a URL that starts with http');
}

export function wholeNumber(given: string): number {
  return /^[1-9]\d{0,14}$/.test(given) ? Number(given) : refuse('a whole number from 1');
}

export interface PropertyValue {
  readonly property: string;
  readonly value: string;
}

export function propertyValue(given: string): PropertyValue {
  const [, property, value = ''] = /^([^=]+)=(.*)$/s.exec(given) ?? [];
  return property === undefined
    ? refuse('a property and its value, such as status=compensationFailed')
    : { property, value };
}

export function port(given: string): number {
  const number = Number(given);
  return /^\d{1,5}$/.test(given) && number > 0 && number < 65_536 ? number : refuse('a port from 1 to 65535');
}

export function duration(given: string): Duration {
  return parsedDuration(given) ?? refuse('a duration such as 90s, 30m, 12h or 7d');
}

/** A point in time, given as ISO 8601 or as a duration before now. */
export function since(given: string, _previous?: unknown, now = new Date()): Date {
  const ago = parsedDuration(given);
  const isoTime = /^\d{4}-\d{2}-\d{2}/.test(given) ? Date.parse(given) : Number.NaN;
  const date = new Date(ago === undefined ? isoTime : now.getTime() - toMilliseconds(ago));
  return Number.isNaN(date.getTime())
    ? refuse('a time such as 2026-11-21T06:00Z, or a duration such as 12h')
    : date;
}

export function refuse(expected: string): never {
  throw new InvalidArgumentError(`Expected ${expected}.`);
}

const durationUnits = { ms: 'milliseconds', s: 'seconds', m: 'minutes', h: 'hours', d: 'days' } as const;

function parsedDuration(given: string): Duration | undefined {
  const [, amount, unit = ''] = /^(\d+)(ms|[smhd])$/.exec(given) ?? [];
  return amount === undefined
    ? undefined
    : ({ [durationUnits[unit as keyof typeof durationUnits]]: Number(amount) } as unknown as Duration);
}

/** As the options take it: `7d`. Several parts stand side by side. */
export function formatDuration(duration: Duration): string {
  const letters = new Map(Object.entries(durationUnits).map(([letter, name]) => [name as string, letter]));
  return Object.entries(duration)
    .map(([unit, amount]) => `${amount}${letters.get(unit)}`)
    .join(' ');
}

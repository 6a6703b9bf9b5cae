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
  if (typeof duration !== 'object' || duration === null) return Number.NaN;
  let milliseconds = 0;
  for (const [part, value] of Object.entries(duration)) {
    if (value === undefined) continue;
    const known = Object.hasOwn(millisecondsOf, part) ? millisecondsOf[part] : undefined;
    milliseconds += typeof value === 'number' && known !== undefined ? value * known : Number.NaN;
  }
  return milliseconds;
}

/** Rounded away from zero to a whole second, so that what is negative stays so. */
export function toSeconds(duration: Duration): number {
  const seconds = toMilliseconds(duration) / 1000;
  return seconds < 0 ? Math.floor(seconds) : Math.ceil(seconds);
}

/** A span of time; the parts add up. */
export interface Duration {
  milliseconds?: number;
  seconds?: number;
  minutes?: number;
  hours?: number;
  days?: number;
}

/** NaN for what is no duration. */
export function toMilliseconds(duration: Duration): number {
  if (typeof duration !== 'object' || duration === null) return Number.NaN;
  const { milliseconds = 0, seconds = 0, minutes = 0, hours = 0, days = 0 } = duration;
  return milliseconds + 1000 * (seconds + 60 * (minutes + 60 * (hours + 24 * days)));
}

/** Rounded away from zero to a whole second, so that what is negative stays so. */
export function toSeconds(duration: Duration): number {
  const seconds = toMilliseconds(duration) / 1000;
  return seconds < 0 ? Math.floor(seconds) : Math.ceil(seconds);
}

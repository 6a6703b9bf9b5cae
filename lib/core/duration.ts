/** A span of time; the parts add up. */
export interface Duration {
  seconds?: number;
  minutes?: number;
  hours?: number;
  days?: number;
}

/** The span in seconds, rounded up to a whole one; NaN when a part is no number. */
export function toSeconds(duration: Duration): number {
  const { seconds = 0, minutes = 0, hours = 0, days = 0 } = duration;
  return Math.ceil(seconds + 60 * (minutes + 60 * (hours + 24 * days)));
}

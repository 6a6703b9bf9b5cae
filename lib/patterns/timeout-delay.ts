import { type Duration, toSeconds } from '../core/duration.ts';
import { limits } from '../core/limits.ts';

/** Whether a timeout can be requested with it, and waits. */
export function isTimeoutDelay(duration: Duration): boolean {
  const seconds = toSeconds(duration);
  return seconds > 0 && seconds <= limits.maxDelaySeconds;
}

import { type Duration, toSeconds } from '../kernel/duration.ts';
import { limits } from '../kernel/limits.ts';

/** How errors name a definition: with its own name, if it has one. */
export function placeOf(kind: string, definition: unknown): string {
  const { name } = Object(definition);
  return typeof name === 'string' ? `${kind} '${name}'` : kind;
}

/** Whether a timeout can be requested with it, and waits. */
export function isTimeoutDelay(duration: Duration): boolean {
  const seconds = toSeconds(duration);
  return seconds > 0 && seconds <= limits.maxDelaySeconds;
}

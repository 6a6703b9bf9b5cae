import { type Duration, durationProblem, toMilliseconds } from '../kernel/duration.ts';
import { configurationError } from '../kernel/errors/errors.ts';

/**
 * The time that a test moves on to.
 *
 * @throws SagaboxError `Configuration`
 */
export function timeAfter(now: Date, duration: Duration): Date {
  const durationMs = toMilliseconds(duration);
  const time = new Date(now.getTime() + durationMs);
  if (durationMs >= 0 && !Number.isNaN(time.getTime())) return time;
  const problem =
    durationProblem(duration) ?? (durationMs < 0 ? 'its duration is negative' : 'it is beyond all dates');
  throw configurationError('advance', problem, 'Time moves forward, as in { minutes: 5 }');
}

import * as v from 'valibot';
import { type Duration, durationProblem, toMilliseconds } from '../../core/duration.ts';

/** @param range as people write it, such as `from a minute to 3650 days` */
export function durationField(min: Duration, max: Duration, range: string): v.GenericSchema {
  return v.pipe(
    v.custom<Duration>(
      (value) => durationProblem(value) === undefined,
      ({ input }) => durationProblem(input) ?? '',
    ),
    v.transform(toMilliseconds),
    v.check(
      (milliseconds) => milliseconds >= toMilliseconds(min) && milliseconds <= toMilliseconds(max),
      ({ input }) => `must be ${range}, not ${input / 1000} s`,
    ),
  );
}

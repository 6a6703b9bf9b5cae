import { expect, it } from '@jest/globals';
import { type Duration, durationProblem, toMilliseconds, toSeconds } from '../../lib/core/duration.ts';

it.each<[Duration, number]>([
  [{}, 0],
  [{ seconds: 0 }, 0],
  [{ seconds: 1 }, 1],
  [{ milliseconds: 1 }, 1],
  [{ milliseconds: 1000 }, 1],
  [{ milliseconds: 1001 }, 2],
  [{ seconds: 0.001 }, 1],
  [{ seconds: 1.5 }, 2],
  [{ minutes: 0.5 }, 30],
  [{ minutes: 15 }, 900],
  [{ hours: 1 }, 3600],
  [{ days: 7 }, 604_800],
  [{ days: 1, hours: 2, minutes: 3, seconds: 4 }, 93_784],
  [{ minutes: 1, seconds: -30 }, 30],
  [{ seconds: 5, minutes: undefined } as unknown as Duration, 5],
  [{ seconds: -1 }, -1],
  [{ seconds: Number.NaN }, Number.NaN],
  [{ hour: 1 } as Duration, Number.NaN],
  [{ minutes: '5' } as unknown as Duration, Number.NaN],
  [{ toString: 1 } as unknown as Duration, Number.NaN],
  [{ days: Number.NaN, seconds: 1 }, Number.NaN],
])('%j is %d seconds, rounded up', (duration, seconds) => {
  expect(toSeconds(duration)).toBe(seconds);
});

it.each<[Duration, number]>([
  [{}, 0],
  [{ milliseconds: 1.5 }, 1.5],
  [{ seconds: 0.25, milliseconds: 250 }, 500],
  [{ days: 1, hours: 2, minutes: 3, seconds: 4, milliseconds: 5 }, 93_784_005],
  [{ seconds: Number.NaN }, Number.NaN],
])('%j is %d milliseconds', (duration, milliseconds) => {
  expect(toMilliseconds(duration)).toBe(milliseconds);
});

it.each([
  [{ mins: 1 }, "'mins' is no unit of time (known: milliseconds, seconds, minutes, hours, days)"],
  [{ minutes: 1, toString: 1 }, "'toString' is no unit of time"],
  [{ minutes: '5' }, 'its minutes are "5", not a number'],
  [{ days: Number.NaN }, 'its days are NaN, not a number'],
  [{ days: Symbol('a') }, 'its days are a value of type symbol, not a number'],
  [[5], '[5] is no duration such as { minutes: 5 }'],
  ['5 min', '"5 min" is no duration'],
  [null, 'null is no duration'],
  [undefined, 'undefined is no duration'],
])('%p is told apart from a duration', (value, problem) => {
  expect(durationProblem(value)).toContain(problem);
  expect(toMilliseconds(value as Duration)).toBeNaN();
});

it.each([{}, { minutes: 5 }, { minutes: undefined, days: -1 }])('%p has no problem', (duration) => {
  expect(durationProblem(duration)).toBeUndefined();
});

import { expect, it } from '@jest/globals';
import { type Duration, durationProblem, toMilliseconds, toSeconds } from '../../lib/kernel/duration.ts';
import { temporalDuration } from '../support/temporal.ts';

it.each<[Duration, number]>([
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
  [{ hour: 1 } as never, Number.NaN],
  [{ minutes: '5' } as unknown as Duration, Number.NaN],
  [{ toString: 1 } as unknown as Duration, Number.NaN],
  [{ days: Number.NaN, seconds: 1 }, Number.NaN],
])('%j is %d seconds, rounded up', (duration, seconds) => {
  expect(toSeconds(duration)).toBe(seconds);
});

it.each<[Duration, number]>([
  [{ milliseconds: 1.5 }, 1.5],
  [{ hours: 1, minutes: undefined } as unknown as Duration, 3_600_000],
  [{ seconds: 0.25, milliseconds: 250 }, 500],
  [{ days: 1, hours: 2, minutes: 3, seconds: 4, milliseconds: 5 }, 93_784_005],
  [{ seconds: Number.NaN }, Number.NaN],
])('%j is %d milliseconds', (duration, milliseconds) => {
  expect(toMilliseconds(duration)).toBe(milliseconds);
});

class Minutes {
  minutes = 5;
}

class Getters {
  get minutes() {
    return 5;
  }
}

const asTemporal = (parts: object) => ({ [Symbol.toStringTag]: 'Temporal.Duration', ...parts });
const unreadable = {
  get minutes() {
    throw new Error('no clock');
  },
};

const wrong: readonly [unknown, string][] = [
  [{ mins: 1 }, "'mins' is no unit of time (known: milliseconds, seconds, minutes, hours, days)"],
  [{ weeks: 1 }, "'weeks' is no unit of time"],
  [{ minutes: 1, toString: 1 }, "'toString' is no unit of time"],
  [{ minutes: '5' }, 'its minutes are "5", not a finite number'],
  [{ minutes: null }, 'its minutes are null, not a finite number'],
  [{ hours: 5n }, 'its hours are a value of type bigint, not a finite number'],
  [{ days: Number.NaN }, 'its days are NaN, not a finite number'],
  [{ days: Number.POSITIVE_INFINITY }, 'its days are Infinity, not a finite number'],
  [{ days: Symbol('a') }, 'its days are a value of type symbol, not a finite number'],
  [{}, 'it names no number of a unit, as { minutes: 5 } does'],
  [{ minutes: undefined }, 'it names no number of a unit'],
  [{ minutes: undefined, hours: undefined }, 'it names no number of a unit'],
  [unreadable, 'it cannot be read (no clock)'],
  [[], '[] is no duration such as { minutes: 5 }'],
  [[5], '[5] is no duration such as { minutes: 5 }'],
  ['5 min', '"5 min" is no duration'],
  ['PT5M', '"PT5M" is no duration'],
  [300, '300 is no duration'],
  [Number.NaN, 'NaN is no duration'],
  [null, 'null is no duration'],
  [undefined, 'undefined is no duration'],
  [() => 5, 'a value of type function is no duration'],
  [new Date(0), 'a Date is no duration such as { minutes: 5 }'],
  [new Map([['minutes', 5]]), 'a Map is no duration'],
  [new Set([5]), 'a Set is no duration'],
  [{ days: 1e300, hours: 1e308 }, 'its parts add up to no finite number'],
  [{ days: 1e308, hours: -1e308 }, 'its parts add up to no finite number'],
  [Object(5), 'a Number is no duration'],
  [new Getters(), "an instance of the class 'Getters' is no duration"],
  [temporalDuration('P1M'), '"P1M" has months, whose length depends on the date: give days or less'],
  [temporalDuration('P2YT5M'), '"P2YT5M" has years, whose length depends on the date'],
  [temporalDuration('-P1M'), '"-P1M" has months'],
  [asTemporal({}), 'has years'],
  [asTemporal({ years: 0, months: 0, hours: '2' }), 'its hours are "2", not a finite number'],
  [asTemporal({ years: 0, months: 0 }), 'it names no number of a unit'],
];

it.each(wrong.map(([value, problem]) => [problem, value]))('a value is refused: %s', (problem, value) => {
  expect(durationProblem(value)).toContain(problem);
  expect(Number.isFinite(toMilliseconds(value as Duration))).toBe(false);
});

it.each([
  { minutes: 5 },
  { minutes: undefined, days: -1 },
  Object.assign(Object.create(null), { minutes: 5 }),
  new Minutes(),
])('%p has no problem', (duration) => {
  expect(durationProblem(duration)).toBeUndefined();
});

it.each([
  ['PT2H', 7_200_000],
  ['P1W1DT1H1M1.5S', 694_861_500],
  ['PT0.000250S', 0.25],
  ['-PT5M', -300_000],
  ['PT0S', 0],
])('a Temporal.Duration of %s is %d ms', (iso, milliseconds) => {
  const duration = temporalDuration(iso);
  expect(durationProblem(duration)).toBeUndefined();
  expect(toMilliseconds(duration as Duration)).toBeCloseTo(milliseconds, 6);
});

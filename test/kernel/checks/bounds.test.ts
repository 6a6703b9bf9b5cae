import { describe, expect, it } from '@jest/globals';
import { type Bounds, durationIn, numberIn } from '../../../lib/kernel/checks/bounds.ts';
import { problemsOf } from '../../../lib/kernel/checks/checks.ts';

const whole = { min: 1, max: 10 };
const rate = { min: 0, max: 1, fractions: true } as const;

describe('a number in bounds', () => {
  it.each<[number, Bounds, boolean]>([
    [1, whole, true],
    [10, whole, true],
    [0, whole, false],
    [11, whole, false],
    [1.5, whole, false],
    [Number.NaN, whole, false],
    [Number.POSITIVE_INFINITY, { min: 1 }, false],
    [Number.MAX_SAFE_INTEGER, { min: 1 }, true],
    [0, rate, true],
    [0.5, rate, true],
    [1, rate, true],
    [Number.POSITIVE_INFINITY, { min: 0, fractions: true }, false],
    [0, { ...rate, excludes: 'min' }, false],
    [1e-9, { ...rate, excludes: 'min' }, true],
    [1, { ...rate, excludes: 'max' }, false],
    [0.999, { ...rate, excludes: 'max' }, true],
  ])('%p in %j is taken: %s', (value, bounds, isTaken) => {
    expect(problemsOf(numberIn(bounds), value).length === 0).toBe(isTaken);
  });

  it.each<[unknown, Bounds, string, string]>([
    [0, whole, '0 is out of range', 'Use a whole number from 1 to 10'],
    ['1', whole, '"1" is not a number', 'Use a whole number from 1 to 10'],
    [0, { min: 1 }, '0 is out of range', 'Use a whole number of at least 1'],
    [
      0,
      { min: 5, minIs: 'the minimum' },
      '0 is out of range',
      'Use a whole number of at least the minimum, 5',
    ],
    [2, rate, '2 is out of range', 'Use a value from 0 to 1'],
    [0, { ...rate, excludes: 'min' }, '0 is out of range', 'Use a value above 0, up to 1'],
    [1, { ...rate, excludes: 'max' }, '1 is out of range', 'Use a value from 0 to below 1'],
    [0, { ...whole, unit: 'seconds' }, '0 s is out of range', 'Use a whole number of seconds from 1 to 10'],
  ])('%p in %j is refused with what to use', (value, bounds, problem, remedy) => {
    expect(problemsOf(numberIn(bounds), value, 'x')).toEqual([{ at: 'x', problem, remedy }]);
  });
});

describe('a duration in bounds', () => {
  const check = durationIn({ seconds: 1 }, { minutes: 1 }, 'from a second to a minute');

  it.each([
    [{ seconds: 1 }, []],
    [{ minutes: 1 }, []],
    [{ milliseconds: 999 }, ['0.999 s is out of range']],
    [{ minutes: 1, milliseconds: 1 }, ['60.001 s is out of range']],
    [{ minute: 1 }, [expect.stringContaining("'minute' is no unit of time")]],
    [60, [expect.stringContaining('60 is no duration')]],
  ])('%j has the problems %j', (value, problems) => {
    expect(problemsOf(check, value, 'x').map(({ problem }) => problem)).toEqual(problems);
  });
});

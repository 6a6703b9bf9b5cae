import { describe, expect, it } from '@jest/globals';
import {
  aDuration,
  aNumber,
  anyValue,
  aString,
  type Check,
  checkedParts,
  listOf,
  objectOf,
  oneOf,
  problemsOf,
  recordOf,
  trueOrFalse,
  unless,
  withMethods,
  withParts,
} from '../../../lib/kernel/checks/checks.ts';
import { Problems } from '../../../lib/kernel/checks/problems.ts';

const nested: Check = objectOf({ inner: objectOf({ name: aString }), flag: trueOrFalse });

function told(check: Check, value: unknown, at = 'x'): [string, string][] {
  return problemsOf(check, value, at).map((found) => [found.at, found.problem]);
}

describe('a check', () => {
  it.each<[string, Check, unknown]>([
    ['any value', anyValue, Symbol('a')],
    ['a string', aString, ''],
    ['one of some', oneOf('a', 'b'), 'b'],
    ['a duration', aDuration, { minutes: 5 }],
    ['a list', listOf(aString), ['a']],
    ['a record', recordOf(aNumber), { a: 1, b: undefined }],
    ['methods', withMethods('send'), { send: () => {} }],
    ['parts', withParts('outbox'), { outbox: {} }],
    ['an exception', unless((value) => value === false, aString), false],
    ['nested objects', nested, { inner: { name: 'a' }, flag: undefined }],
  ])('takes %s', (_what, check, value) => {
    expect(told(check, value)).toEqual([]);
  });

  it.each<[Check, unknown, [string, string][]]>([
    [aString, 5, [['x', '5 is not a string']]],
    [aString, null, [['x', 'null is not a string']]],
    [oneOf('a', 'b'), 'c', [['x', '"c" is not known']]],
    [aDuration, 5, [['x', '5 is no duration such as { minutes: 5 }']]],
    [
      listOf(aString),
      ['a', 1, 2],
      [
        ['x[1]', '1 is not a string'],
        ['x[2]', '2 is not a string'],
      ],
    ],
    [listOf(aString), 'a', [['x', '"a" is not a list']]],
    [recordOf(aNumber), { a: 'b' }, [['x.a', '"b" is not a number']]],
    [recordOf(aNumber), [], [['x', '[] is not an object']]],
    [withMethods('send', 'close'), { send: 5 }, [['x', 'it lacks send, close']]],
    [withMethods('send'), null, [['x', 'null is not an object']]],
    [withParts('outbox'), { outbox: null }, [['x', 'it lacks outbox']]],
    [unless((value) => value === false, aString), true, [['x', 'true is not a string']]],
    [
      nested,
      { inner: { nmae: 'a', name: 5 }, flag: 1, toString: 5 },
      [
        ['x.inner.nmae', "there is no such setting (did you mean 'name'?)"],
        ['x.inner.name', '5 is not a string'],
        ['x.flag', '1 is not true or false'],
        ['x.toString', "there is no such setting (did you mean 'inner' or 'flag'?)"],
      ],
    ],
  ])('tells every problem of a value, with its path: %#', (check, value, problems) => {
    expect(told(check, value)).toEqual(problems);
  });

  it('cuts what it tells of a value', () => {
    const [[, problem = ''] = []] = told(aNumber, 'a'.repeat(400));
    expect(problem).toBe(`"${'a'.repeat(299)}… is not a number`);
  });

  it('tells what is missing, and who takes what the object does not', () => {
    const check = objectOf(
      { name: aString },
      { needs: ['name'], takerOf: (name) => (name === 'queue' ? 'sqsBatch' : undefined) },
    );
    expect(told(check, { queue: 1, odd: 2 }, '')).toEqual([
      ['name', 'it is missing'],
      ['queue', 'it is no option here, but of sqsBatch'],
      ['odd', "there is no such setting (did you mean 'name'?)"],
    ]);
  });

  it('leaves out what cannot be used', () => {
    const given = { names: ['a', 1], flag: 5, odd: 1, kept: 2, absent: undefined };
    const checks = { names: listOf(aString), flag: trueOrFalse, kept: aNumber, absent: aString };
    expect(checkedParts(given, checks, '', new Problems())).toEqual({ names: ['a'], kept: 2 });
  });
});

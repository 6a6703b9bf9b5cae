import { describe, expect, it } from '@jest/globals';
import { keepNumbers, noteNumber, parseExactly, writtenNumber } from '../../lib/kernel/exact-json.ts';

/** The values of an object or array, each as it was written where JavaScript does not hold it so. */
function writtenIn(text: string): unknown[] {
  const holder = parseExactly(text) as object;
  return Object.entries(holder).map(([name, value]) => writtenNumber(holder, name, value) ?? value);
}

describe('exact JSON', () => {
  it.each<[string, unknown[]]>([
    ['{"account":9007199254740993}', ['9007199254740993']],
    ['{"account" :\n-9007199254740993 }', ['-9007199254740993']],
    ['{"account":9007199254740992}', [9_007_199_254_740_992]],
    ['{"__proto__":9007199254740993}', ['9007199254740993']],
    ['[0.1234567890123456789]', ['0.1234567890123456789']],
    ['[12345678.12345679]', [12345678.12345679]],
    ['[1e400,-1E400,1e-400]', ['1e400', '-1E400', '1e-400']],
    ['[1.50,1e3,0e9,100000000000000000000,0.00000000000000000001]', [1.5, 1000, 0, 1e20, 1e-20]],
    ['[-0,-0.0,0,[-0]]', ['-0', '-0.0', 0, [-0]]],
    ['{"a":9007199254740993,"a":1}', [1]],
    ['{"a":"9007199254740993"}', ['9007199254740993']],
  ])('%s', (text, values) => {
    expect(writtenIn(text)).toEqual(values);
  });

  it('has the values that JSON.parse has', () => {
    const text = '{"account":9007199254740993,"at":"2026-01-02","id":"1e4f","list":[1e400,-0]}';
    expect(parseExactly(text)).toEqual(JSON.parse(text));
  });

  it('cannot be forged by what the text holds', () => {
    expect(writtenIn('[{"number":"9007199254740993"},"9007199254740993"]')).toEqual([
      { number: '9007199254740993' },
      '9007199254740993',
    ]);
  });

  it('refuses what is no JSON, as JSON.parse', () => {
    expect(() => parseExactly('no JSON, 9007199254740993')).toThrow(SyntaxError);
  });

  it('is read however deep it is nested', () => {
    const levels = 200_000;
    let value = parseExactly(`${'['.repeat(levels)}9007199254740993${']'.repeat(levels)}`);
    for (let level = 0; level < levels; level += 1) [value] = value as [unknown];
    expect(value).toBe(9_007_199_254_740_992);
  });

  it('does not know a number that was changed', () => {
    const body = parseExactly('{"account":9007199254740993}') as { account: number };
    body.account = 7;
    expect(writtenNumber(body, 'account', body.account)).toBeUndefined();
  });

  it('follows a number into another object', () => {
    const from = parseExactly('{"account":9007199254740993,"other":1}') as Record<string, number>;
    const to = { account: from.account };
    keepNumbers(from, to);
    expect(writtenNumber(to, 'account', to.account)).toBe('9007199254740993');
    const message = { body: 9_007_199_254_740_992 };
    noteNumber(message, 'body', message.body, '{"an":"envelope"}');
    expect(writtenNumber(message, 'body', message.body)).toBeUndefined();
    noteNumber(message, 'body', message.body, '9007199254740993');
    expect(writtenNumber(message, 'body', message.body)).toBe('9007199254740993');
  });
});

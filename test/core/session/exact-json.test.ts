import { describe, expect, it } from '@jest/globals';
import { exactJson } from '../../../lib/core/session/exact-json.ts';

describe('exact JSON', () => {
  it.each([
    ['{"account":9007199254740993}', { account: { number: '9007199254740993' } }],
    ['[0.1234567890123456789]', [{ number: '0.1234567890123456789' }]],
    ['[12345678.123456789]', [{ number: '12345678.123456789' }]],
    ['[1e400,-1e400,1e-400]', [{ number: '1e400' }, { number: '-1e400' }, { number: '1e-400' }]],
    ['[1.50,1e3,0e9,100000000000000000000,0.00000000000000000001]', [1.5, 1000, 0, 1e20, 1e-20]],
    ['{"a":"9007199254740993"}', { a: '9007199254740993' }],
    ['no JSON 9007199254740993', undefined],
  ])('%s', (text, value) => {
    expect(exactJson(text)).toEqual(value);
  });
});

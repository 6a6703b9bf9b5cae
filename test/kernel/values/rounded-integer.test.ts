import { describe, expect, it } from '@jest/globals';
import { parseExactly } from '../../../lib/kernel/exact-json.ts';
import { roundedIntegerIn } from '../../../lib/kernel/values/rounded-integer.ts';

const keyed = (key: string, text: string) => roundedIntegerIn(key, parseExactly(text));

describe('a key made of an integer of the body that JavaScript has rounded', () => {
  it.each<[string, string, string, string]>([
    ['9007199254740992', '{"orderId":9007199254740993}', 'body.orderId', '9007199254740993'],
    ['order-9007199254740992/3', '{"orderId":9007199254740993}', 'body.orderId', '9007199254740993'],
    ['-9007199254740992', '{"orderId":-9007199254740993}', 'body.orderId', '-9007199254740993'],
    ['00009007199254740992', '{"orderId":9007199254740993}', 'body.orderId', '9007199254740993'],
    ['9007199254740992', '{"orderId":9007199254740992}', 'body.orderId', '9007199254740992'],
    ['1e+21', '{"a":[1,{"b c":1e21}]}', 'body.a[1]["b c"]', '1e+21'],
    ['1000000000000000000000', '{"a":1000000000000000000000}', 'body.a', '1e+21'],
    ['x1.5e+300', '{"a":1.5e300}', 'body.a', '1.5e+300'],
    ['Infinity', '{"a":1e400}', 'body.a', '1e400'],
    ['9007199254740992', '9007199254740993', 'body', '9007199254740992'],
  ])('%s of %s', (key, text, path, written) => {
    expect(keyed(key, text)).toEqual({ path, written });
  });

  it.each([
    ['7', '{"orderId":7,"total":9007199254740993}'],
    ['9007199254740991', '{"orderId":9007199254740991,"total":9007199254740993}'],
    ['1234567890123456789', '{"id":1234567890123456789,"id_str":"1234567890123456789"}'],
    ['9007199254740994', '{"id":9007199254740994,"id_str":"9007199254740994"}'],
    ['90071992547409.92', '{"a":90071992547409.92}'],
    ['0.12345678901234568', '{"a":0.1234567890123456789}'],
    ['9007199254740993', '{"a":"9007199254740993"}'],
    ['9007199254740993', '{"9007199254740993":1}'],
  ])('is not %s of %s', (key, text) => {
    expect(keyed(key, text)).toBeUndefined();
  });

  it('is found in what a schema has made of a string, and in what it has made a string of', () => {
    expect(roundedIntegerIn('9007199254740992', { id: '9007199254740993' }, { id: 2 ** 53 })).toEqual({
      path: 'body.id',
      written: '9007199254740992',
    });
    const received = parseExactly('{"id":9007199254740993}');
    expect(roundedIntegerIn('9007199254740992', received, { id: '9007199254740992' })).toEqual({
      path: 'body.id',
      written: '9007199254740993',
    });
  });

  it('is looked for in circles and depths too', () => {
    const circle: { self?: unknown; deep: unknown } = { deep: 9_007_199_254_740_992 };
    for (let level = 0; level < 200_000; level += 1) circle.deep = [circle.deep];
    circle.self = circle;
    expect(roundedIntegerIn('9007199254740992', circle)?.written).toBe('9007199254740992');
  });
});

import { describe, expect, it } from '@jest/globals';
import {
  asText,
  encoded,
  optionOrVariable,
  parseJson,
  type Setting,
  settingOf,
} from '../../lib/settings/setting.ts';

const speed: Setting<number, number | string> = {
  option: 'speed',
  variable: 'SAGABOX_SPEED',
  decode: (text) => (text === '' ? undefined : Number(text)),
};

describe('the value of a setting', () => {
  it.each([
    ['its option, whatever the variable says', 1, '2', 3, 1],
    ['also one that is 0', 0, '2', 3, 0],
    ['its variable without an option', undefined, '2', 3, 2],
    ['its default without a variable', undefined, undefined, 3, 3],
    ['its default if the variable says nothing', undefined, '', 3, 3],
  ])('is %s', (_case, option, variable, fallback, value) => {
    expect(settingOf(speed, option, { SAGABOX_SPEED: variable }, fallback)).toBe(value);
  });

  it('is undefined without any of them', () => {
    expect(settingOf(speed, undefined, {})).toBeUndefined();
  });

  it('is decoded only if there is no option', () => {
    const decode = () => {
      throw new Error('decoded');
    };
    const environment = { SAGABOX_SPEED: '2' };
    expect(settingOf({ ...speed, decode }, 1, environment)).toBe(1);
    expect(() => settingOf({ ...speed, decode }, undefined, environment)).toThrow('decoded');
  });
});

it('is written into its variable, unless it is undefined', () => {
  expect(encoded(speed, 7)).toEqual({ SAGABOX_SPEED: '7' });
  expect(encoded(speed, undefined)).toEqual({});
  expect(encoded({ ...speed, encode: (value) => `${value} km/h` }, 7)).toEqual({ SAGABOX_SPEED: '7 km/h' });
  expect([asText('a'), asText(true), asText({ limit: 7 })]).toEqual(['a', 'true', '{"limit":7}']);
});

it('is named by its option and its variable in an error', () => {
  expect(optionOrVariable(speed)).toBe('speed (or SAGABOX_SPEED)');
});

describe('the JSON of a variable', () => {
  const parse = (text: string) => parseJson('SAGABOX_X', text, 'It maps names to addresses');

  it.each([
    ['null', null],
    ['{ "a": [1] }', { a: [1] }],
  ])('as %j is %j', (text, value) => {
    expect(parse(text)).toEqual(value);
  });

  it.each(['', '{', "{ 'a': 1 }"])('as %j is refused, with what it is to hold', (text) => {
    expect(() => parse(text)).toThrow(
      expect.objectContaining({
        code: 'Configuration',
        facts: { setting: 'SAGABOX_X', problem: 'it is not JSON', remedy: 'It maps names to addresses' },
        cause: expect.any(SyntaxError),
      }),
    );
  });
});

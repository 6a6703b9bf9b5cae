import { expect, it } from '@jest/globals';
import { parseJsonSetting } from '../../../lib/core/checks/json-setting.ts';

const parse = (text: string | undefined) => parseJsonSetting('SAGABOX_X', text, 'It maps names to addresses');

it.each([
  [undefined, undefined],
  ['null', null],
  ['{ "a": [1] }', { a: [1] }],
])('a setting of %j is %j', (text, value) => {
  expect(parse(text)).toEqual(value);
});

it.each(['', '{', "{ 'a': 1 }"])('a setting of %j is refused, with what it is to hold', (text) => {
  expect(() => parse(text)).toThrow(
    expect.objectContaining({
      code: 'Configuration',
      facts: { setting: 'SAGABOX_X', problem: 'it is not JSON', remedy: 'It maps names to addresses' },
      cause: expect.any(SyntaxError),
    }),
  );
});

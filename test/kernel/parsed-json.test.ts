import { expect, it } from '@jest/globals';
import { parsedJson } from '../../lib/kernel/parsed-json.ts';

it.each([
  ['{"a":[1]}', { a: [1] }],
  ['null', null],
  ['', undefined],
  ['{', undefined],
  ['undefined', undefined],
])('what comes from outside is read as JSON, if it is that: %j', (text, expected) => {
  expect(parsedJson(text)).toEqual(expected);
});

import { expect, it } from '@jest/globals';
import { isRecordEncoding } from '../../../lib/core/outbox/record-encoding.ts';

it.each([
  ['s', true],
  ['sb', true],
  ['br', false],
  ['S', false],
  ['', false],
  ['toString', false],
  [undefined, false],
])('the encoding %j is known: %j', (name, known) => {
  expect(isRecordEncoding(name)).toBe(known);
});

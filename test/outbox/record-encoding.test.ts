import { expect, it } from '@jest/globals';
import { isRecordEncoding } from '../../lib/outbox/record-encoding.ts';

it.each([
  ['s', 'known'],
  ['sb', 'known'],
  ['br', 'unknown'],
  ['S', 'unknown'],
  ['', 'unknown'],
  ['toString', 'unknown'],
  [undefined, 'unknown'],
])('the encoding %j is %s', (name, result) => {
  const known = result === 'known';
  expect(isRecordEncoding(name)).toBe(known);
});

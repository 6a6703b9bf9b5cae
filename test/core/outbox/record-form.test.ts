import { expect, it } from '@jest/globals';
import { factsOf, isRecordEncoding } from '../../../lib/core/outbox/record-form.ts';

it.each([
  ['br', true],
  ['s', true],
  ['sb', true],
  ['BR', false],
  ['', false],
  ['gzip', false],
  ['toString', false],
])('the encoding %j is known: %j', (name, known) => {
  expect(isRecordEncoding(name)).toBe(known);
});

it('a record without an encoding is plain, and not compressed', () => {
  expect(factsOf(undefined)).toEqual({ form: 'plain', isCompressed: false });
});

import fc from 'fast-check';
import { anyText } from '../support/any-text.ts';

/** Names that objects inherit, or that reach what all objects share. */
const inheritedNames = [
  '__proto__',
  'constructor',
  'prototype',
  'toString',
  'valueOf',
  'hasOwnProperty',
  'then',
  'toJSON',
] as const;

export const inheritedName = fc.constantFrom(...inheritedNames);

/** Strings that have broken readers of strings. */
const oddStrings = [
  '',
  ' ',
  '\u0000',
  '\uD800',
  'a\uDFFFb',
  '\uFFFE\uFFFF',
  '\u2028',
  'İ',
  'e\u0301',
  'NaN',
  'null',
  '-0',
  '1e400',
  '2026-13-45T99:99:99Z',
  '+275760-09-13T00:00:00.001Z',
  'f'.repeat(64),
  `SAGA#Hostile#${'0'.repeat(64)}`,
  'OUTBOX#hostile#m-1',
  'CHUNK#0001',
  'RECORD',
  '{"a":',
  'x'.repeat(513),
  'é'.repeat(1025),
  'y'.repeat(5000),
  '00-00000000000000000000000000000000-0000000000000000-00',
  'sagabox/../../secret',
] as const;

export const hostileString: fc.Arbitrary<string> = fc.oneof(
  fc.constantFrom(...oddStrings),
  inheritedName,
  anyText({ maxLength: 30 }),
  // Halves of pairs too.
  fc
    .array(fc.integer({ min: 0, max: 0xffff }), { maxLength: 10 })
    .map((units) => String.fromCharCode(...units)),
  fc.uint8Array({ maxLength: 60 }).map((bytes) => Buffer.from(bytes).toString('latin1')),
);

/**
 * A value of JSON of any shape, as a parser makes it: with properties of its own called as inherited ones.
 */
export const hostileJson: fc.Arbitrary<unknown> = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    hostileString,
    fc.constantFrom<unknown>(null, true, false, 0, -0, 1, -1.5, 1e308, 5e-324, 2 ** 53, 1e19),
    fc.array(tie('value'), { maxLength: 4 }),
    fc
      .array(fc.tuple(fc.oneof(inheritedName, hostileString), tie('value')), { maxLength: 4 })
      .map(ownProperties),
  ),
})).value;

/** An object with properties of its own, also where assigning them would do something else. */
export function ownProperties(entries: readonly (readonly [string, unknown])[]): Record<string, unknown> {
  return Object.fromEntries(entries);
}

/** More levels than any recursion has frames for. */
const DEPTH = 30_000;

export const deepStrings = [
  '['.repeat(DEPTH),
  '{"a":'.repeat(DEPTH),
  `${'['.repeat(DEPTH)}${']'.repeat(DEPTH)}`,
  `${'{"a":'.repeat(DEPTH)}1${'}'.repeat(DEPTH)}`,
] as const;

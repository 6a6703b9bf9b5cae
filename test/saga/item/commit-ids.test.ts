import { randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { commitIdAttribute, commitIdOf, isOfCommit } from '../../../lib/saga/item/commit-ids.ts';

const commitId = '01234567-89ab-4cde-8f01-23456789abcd';
const bytes = new Uint8Array([0x8f, 0x01, 0x23, 0x45, 0x67, 0x89, 0xab, 0xcd]);

describe('the commit id of an item', () => {
  it.each([
    ['an embedded outbox, by its last 8 bytes', { B: bytes }, true],
    ['records', { S: commitId }, true],
    ['an embedded outbox that another commit wrote', { B: bytes.toReversed() }, false],
    ['records that another commit wrote', { S: randomUUID() }, false],
    ['an embedded outbox, damaged', { B: new Uint8Array() }, false],
  ])('tells whether a commit wrote it: %s', (_of, attribute, isOwn) => {
    expect(isOfCommit({ commitId: attribute }, commitId)).toBe(isOwn);
  });

  it('of which there is none tells nothing', () => {
    expect([isOfCommit({}, commitId), commitIdOf({})]).toEqual([false, undefined]);
  });

  it.each([{ B: bytes }, { B: new Uint8Array(20).fill(3) }, { S: commitId }])(
    'is demanded as it was read: %j',
    (attribute) => {
      const read = { commitId: commitIdOf({ commitId: attribute }) ?? '', isBinary: 'B' in attribute };
      const demanded = commitIdAttribute(read);
      expect(demanded.S ?? new Uint8Array(demanded.B ?? [])).toEqual(
        'B' in attribute ? attribute.B : commitId,
      );
    },
  );
});

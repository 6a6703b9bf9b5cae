import { describe, expect, it } from '@jest/globals';
import { embeddedItem } from '../../../lib/outbox/embedded/embedded-item.ts';
import type { SagaItem } from '../../../lib/saga/item/saga-item.ts';
import { at } from '../../support/commits.ts';

const read: SagaItem = {
  schema: 'embedded',
  revision: { version: 3, commitId: 'c3' },
  isTombstone: false,
  pending: new Map(),
  updatedAt: at,
};

describe('the item of a saga with an embedded outbox', () => {
  it('is as it was read, also where nobody has written an inbox yet, and undefined where there is none', () => {
    const item = { ...read, inbox: undefined };
    expect(embeddedItem(item)).toBe(item);
    expect(embeddedItem(undefined)).toBeUndefined();
  });

  it('is none that was read for a saga of records, whose inbox would be taken for empty', () => {
    expect(() => embeddedItem(read)).toThrow(/store does not read what the item holds of an embedded outbox/);
  });
});

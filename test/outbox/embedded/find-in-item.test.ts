import { describe, expect, it } from '@jest/globals';
import type { EmbeddedItem } from '../../../lib/outbox/embedded/embedded-item.ts';
import { findInItem } from '../../../lib/outbox/embedded/find-in-item.ts';
import type { HandledMessage } from '../../../lib/outbox/embedded/inbox.ts';
import { pack } from '../../../lib/outbox/packing.ts';
import { emptyInbox } from '../../support/inboxes.ts';

const saga = { name: 'Order', id: '1' };
const committedAt = new Date('2026-01-01T00:10:00Z');
const expiresAt = new Date('2026-01-02T00:10:00Z');

function itemWith(handled: readonly HandledMessage[], others: Partial<EmbeddedItem> = {}): EmbeddedItem {
  return {
    schema: 'embedded',
    endpoint: 'orders',
    revision: { version: 1, commitId: 'c1' },
    isTombstone: false,
    inbox: emptyInbox.with(handled, expiresAt),
    pending: new Map(),
    hasTimeouts: false,
    updatedAt: committedAt,
    isOverflowed: false,
    bytes: 0,
    ...others,
  };
}

/** No two ids with one hash are known: the entry of one message under the key of another is the same. */
describe('a message whose hash is that of another one', () => {
  const operations = [{ id: 'out-1', destination: 'billing', type: 'Charge', body: {}, headers: {} }];
  const first = {
    messageId: 'first',
    storedAt: committedAt,
    encoding: 's' as const,
    packed: pack(operations, { endpoint: 'orders', messageId: 'first' }),
  };
  const second = { id: 'second', type: 'Placed' };
  const pending = new Map([[emptyInbox.keyOf(second.id), first]]);

  it('is another message under the same id while that one has something to send, which stays', () => {
    const item = itemWith([{ ...second, hasRecord: false }], { pending });
    expect(findInItem(saga, item, second, committedAt)).toMatchObject({
      record: { messageId: 'first', dispatched: false },
      isOfOtherType: true,
    });
  });

  it('is a duplicate of that one from then on, unless it has another type', () => {
    const item = itemWith([{ ...second, hasRecord: false }]);
    const found = (type: string) => findInItem(saga, item, { ...second, type }, committedAt);
    expect(found(second.type)).toMatchObject({ record: { dispatched: true }, isOfOtherType: false });
    expect(found('Cancelled')).toMatchObject({ isOfOtherType: true });
  });
});

describe('what an item tells of a message whose record it does not hold', () => {
  const message = { id: 'm1', type: 'Placed' };
  const withRecord = itemWith([{ ...message, hasRecord: true }]);
  const full = itemWith([], { isOverflowed: true });

  it('is nothing, if nobody has written an inbox yet', () => {
    expect(findInItem(saga, itemWith([], { inbox: undefined }), message, committedAt)).toBeUndefined();
  });

  it.each([
    ['just committed', withRecord, committedAt, 'not visible yet'],
    ['known for an hour more than its record', withRecord, new Date('2026-01-02T00:05:00Z'), 'expired'],
    ['not in a full inbox', full, committedAt, 'not handled'],
  ])('%s', (_what, item, now, withoutRecord) => {
    expect(findInItem(saga, item, message, now)).toEqual({
      record: 'its own',
      withoutRecord,
      isOfOtherType: false,
    });
  });
});

describe('what an item tells of an embedded outbox with records', () => {
  const message = { id: 'm1', type: 'Placed' };
  const asked = { record: 'its own', withoutRecord: 'not handled', isOfOtherType: false };

  it.each<[string, EmbeddedItem | undefined]>([
    ['there is none', undefined],
    ['it does not know the message', itemWith([])],
    ['it is a tombstone that has expired', itemWith([], { isTombstone: true, expiresAt: committedAt })],
  ])('is asked of the record where %s', (_what, item) => {
    expect(findInItem(saga, item, message, committedAt, 'both')).toEqual(asked);
    expect(findInItem(saga, item, message, committedAt, 'embedded')).toBeUndefined();
  });

  it('is enough where the item alone has the message', () => {
    const item = itemWith([{ ...message, hasRecord: false }]);
    expect(findInItem(saga, item, message, committedAt, 'both')).toMatchObject({
      record: { dispatched: true },
    });
  });
});

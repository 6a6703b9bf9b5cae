import { describe, expect, it } from '@jest/globals';
import type { OutgoingOperation } from '../../../lib/messages/message.ts';
import type { EmbeddedItem, PendingEntry } from '../../../lib/outbox/embedded/embedded-item.ts';
import {
  type EmbeddedContent,
  embeddedCommit,
  embeddedLimits,
} from '../../../lib/outbox/embedded/embedded-write.ts';
import { Inbox } from '../../../lib/outbox/embedded/inbox.ts';
import type { SagaCheck, SagaWrite } from '../../../lib/saga/saga-state.ts';
import { at, orderSaga } from '../../support/commits.ts';
import { emptyInbox, someSalt } from '../../support/inboxes.ts';
import { outgoingMessage } from '../../support/outgoing-messages.ts';

const deduplicationPeriodSeconds = 7200;
const later = (seconds: number) => new Date(at.getTime() + seconds * 1000);
const revision = { version: 3, commitId: 'c3' };
const check: SagaCheck = { kind: 'check', saga: orderSaga, read: revision };
const complete: SagaWrite = { kind: 'complete', saga: orderSaga, read: revision };
const create: SagaWrite = { kind: 'create', saga: orderSaga, state: { total: 1 }, timeouts: [] };

const handled = (...ids: string[]) => ids.map((id) => ({ id, type: 'Paid', hasRecord: false }));
const inboxOf = (...ids: string[]) => emptyInbox.with(handled(...ids), later(3600));

function itemOf(item: Partial<EmbeddedItem> = {}): EmbeddedItem {
  return {
    schema: 'embedded',
    endpoint: 'orders',
    revision,
    isTombstone: false,
    inbox: inboxOf('old'),
    pending: new Map(),
    hasTimeouts: false,
    updatedAt: at,
    isOverflowed: false,
    bytes: 500,
    ...item,
  };
}

function pendingOf(...ids: string[]): ReadonlyMap<string, PendingEntry> {
  const entry = { storedAt: at, encoding: 's' as const, packed: new Uint8Array(10) };
  return new Map(ids.map((messageId) => [emptyInbox.keyOf(messageId), { messageId, ...entry }]));
}

/** Of an item that is created, or taken over from records. */
const newSalt = new Uint8Array(8).fill(9);
const saltOf = ({ bytes }: Inbox) => bytes.subarray(0, 8);

const messageOf = (messageId: string, operations: readonly OutgoingOperation[] = []) => ({
  type: 'Paid',
  content: { endpoint: 'orders', messageId, operations, storedAt: at },
});

function commitOn(item: EmbeddedItem | undefined, content: Partial<EmbeddedContent> = {}) {
  return embeddedCommit({
    endpoint: 'orders',
    openedSaga: { identity: orderSaga, stored: undefined, lease: undefined, ...(item && { item }) },
    saga: undefined,
    messages: [messageOf('m')],
    at,
    deduplicationPeriodSeconds,
    newSalt: () => newSalt,
    ...content,
  });
}

const expired = emptyInbox.with(handled('old'), later(-7200));
const tombstone = { isTombstone: true, expiresAt: later(100) };

describe('the state that a commit leaves', () => {
  it.each<[string, EmbeddedItem | undefined, EmbeddedContent['saga'], unknown]>([
    ['is kept by a message that changes nothing', itemOf(), undefined, 'kept'],
    ['is kept by a discard', itemOf(), check, 'kept'],
    ['is gone after the end of the saga', itemOf(), complete, 'none'],
    ['is none for a discard without a saga', undefined, { ...check, read: undefined }, 'none'],
    ['is none for a saga that starts and ends at once', undefined, undefined, 'none'],
    ['is none for a discard on a tombstone', itemOf(tombstone), { ...check, read: undefined }, 'none'],
    ['is that of a saga that starts', undefined, create, create],
    ['is that of a saga that starts on a tombstone', itemOf(tombstone), create, create],
  ])('%s', (_name, item, saga, state) => {
    expect(commitOn(item, { saga }).embedded.state).toEqual(state);
  });

  it('has a version more for each message', () => {
    const messages = [messageOf('m'), messageOf('n')];
    expect(commitOn(itemOf(), { messages }).embedded.version).toBe(5);
    expect(commitOn(undefined, { messages }).embedded.version).toBe(2);
  });
});

describe('the inbox that a commit leaves', () => {
  it('has the messages, without those that have expired', () => {
    const { inbox } = commitOn(itemOf({ inbox: inboxOf('old', 'pending'), pending: pendingOf('pending') }), {
      at: later(7200),
    }).embedded;
    expect(['old', 'pending', 'm'].map((id) => inbox.find(id) !== undefined)).toEqual([false, true, true]);
    const expiry = inbox.find('m')?.expiresAt.getTime() ?? 0;
    expect(expiry).toBeGreaterThanOrEqual(later(7200 + deduplicationPeriodSeconds).getTime());
  });

  it('begins anew after a tombstone that has expired', () => {
    const { inbox, isOverflowed } = commitOn(itemOf({ ...tombstone, isOverflowed: true }), {
      at: later(100),
    }).embedded;
    expect([inbox.size, isOverflowed]).toEqual([1, false]);
    expect(inbox.bytes).toEqual(
      new Inbox(newSalt).with(handled('m'), later(100 + deduplicationPeriodSeconds)).bytes,
    );
  });

  it.each<[string, EmbeddedItem | undefined, Uint8Array]>([
    ['a new one for an item that is created', undefined, newSalt],
    ['a new one for an item of records', itemOf({ schema: 'records', inbox: undefined }), newSalt],
    ['that of the item', itemOf(), someSalt],
    ['that of a tombstone', itemOf(tombstone), someSalt],
    [
      'that of an item whose ids have all expired',
      itemOf({ updatedAt: later(-9000), inbox: expired }),
      someSalt,
    ],
    ['that of a full inbox', itemOf({ isOverflowed: true }), someSalt],
  ])('has a salt: %s', (_of, item, salt) => {
    const [embedded, both] = [commitOn(item).embedded, commitOn(item, { form: 'both' }).embedded];
    expect([embedded, both].map(({ inbox }) => saltOf(inbox))).toEqual([
      Buffer.from(salt),
      Buffer.from(salt),
    ]);
  });

  it('is full at its bound: from then on the messages have records, through a restart too', () => {
    const ids = (count: number) => Array.from({ length: count }, (_, index) => `m${index}`);
    const almost = commitOn(itemOf({ inbox: inboxOf(...ids(embeddedLimits.inboxMessages - 1)) })).embedded;
    expect([almost.isOverflowed, almost.inbox.size]).toEqual([false, embeddedLimits.inboxMessages]);

    const full = itemOf({ inbox: inboxOf(...ids(embeddedLimits.inboxMessages)) });
    const operations = [outgoingMessage()];
    const { embedded, outboxes } = commitOn(full, { messages: [messageOf('m', operations), messageOf('n')] });
    expect(embedded).toMatchObject({ isOverflowed: true, pending: [] });
    expect(embedded.inbox.find('m')).toBeUndefined();
    expect(outboxes.map(({ sagaItem, dispatched }) => ({ sagaItem, dispatched }))).toEqual([
      { sagaItem: undefined, dispatched: false },
      { sagaItem: undefined, dispatched: true },
    ]);
    const again = commitOn(itemOf({ ...tombstone, isOverflowed: true }), { saga: create }).embedded;
    expect(again.isOverflowed).toBe(true);
  });
});

describe('when a tombstone expires', () => {
  const expiresAt = later(deduplicationPeriodSeconds);
  const operations = [outgoingMessage()];

  it('is decided by the commit that leaves it with nothing to send, and that read nothing', () => {
    for (const item of [itemOf(), itemOf(tombstone)]) {
      const { embedded } = commitOn(item, { saga: item.isTombstone ? undefined : complete });
      expect([embedded.expiresAt, embedded.mustBePending]).toEqual([expiresAt, undefined]);
    }
  });

  it('is left to the mark of what the commit has to send', () => {
    const { embedded } = commitOn(itemOf(), { saga: complete, messages: [messageOf('m', operations)] });
    expect([embedded.expiresAt, embedded.mustBePending]).toEqual([undefined, undefined]);
    expect(embedded.pending).toHaveLength(1);
  });

  it('is left to the mark of what was read as pending, which must still be', () => {
    const { embedded } = commitOn(itemOf({ pending: pendingOf('a', 'b') }), { saga: complete });
    expect(embedded.expiresAt).toBeUndefined();
    expect(embedded.mustBePending).toEqual(['a', 'b'].map((id) => emptyInbox.keyOf(id)));
  });

  it('is never for a saga with a state', () => {
    for (const content of [{ saga: create }, {}]) {
      const { embedded } = commitOn(itemOf(content.saga && tombstone), content);
      expect([embedded.expiresAt, embedded.mustBePending]).toEqual([undefined, undefined]);
    }
  });
});

describe('what is to be sent', () => {
  it('is in the item, and its record tells how the item looks then', () => {
    const item = itemOf({ pending: pendingOf('a') });
    const messages = [messageOf('m', [outgoingMessage()]), messageOf('n')];
    const { embedded, outboxes } = commitOn(item, { saga: complete, messages });
    expect(embedded.pending).toEqual([outboxes[0]]);
    expect(outboxes[0]?.sagaItem).toEqual({
      partition: 'SAGA#OrderSaga#42',
      key: emptyInbox.keyOf('m'),
      isTombstone: true,
      pendingCount: 2,
    });
  });

  it('has a record, as its entry tells, where it does not fit into the item', () => {
    const large = outgoingMessage({ body: Array.from({ length: 60_000 }, () => Math.random()).join('') });
    const messages = [messageOf('m', [large]), messageOf('n', [outgoingMessage()])];
    const { embedded, outboxes } = commitOn(itemOf(), { messages });
    expect(outboxes.map(({ sagaItem }) => sagaItem !== undefined)).toEqual([false, true]);
    expect(['m', 'n'].map((id) => embedded.inbox.find(id)?.hasRecord)).toEqual([true, false]);
  });
});

describe('a commit of an embedded outbox with records', () => {
  const operations = [outgoingMessage()];
  const both = { form: 'both', messages: [messageOf('m', operations), messageOf('n')] } as const;

  it('has records of all messages, and their bits in the inbox', () => {
    const { embedded, outboxes } = commitOn(itemOf(), both);
    expect(outboxes.map(({ sagaItem, dispatched }) => ({ sagaItem, dispatched }))).toEqual([
      { sagaItem: undefined, dispatched: false },
      { sagaItem: undefined, dispatched: true },
    ]);
    expect(embedded).toMatchObject({ pending: [], isOverflowed: false, version: 5 });
    expect(['old', 'm', 'n'].map((id) => embedded.inbox.find(id)?.hasRecord)).toEqual([false, true, true]);
  });

  it('leaves a tombstone that expires, unless something is pending in it', () => {
    const ending = { ...both, saga: complete };
    expect(commitOn(itemOf(), ending).embedded.expiresAt).toEqual(later(deduplicationPeriodSeconds));
    const pending = pendingOf('p');
    expect(commitOn(itemOf({ pending }), ending).embedded).toMatchObject({
      expiresAt: undefined,
      mustBePending: [...pending.keys()],
    });
  });

  it('makes an item of records where there is none, and keeps the schema of others', () => {
    expect(commitOn(undefined, { ...both, saga: create }).embedded).toMatchObject({
      schema: 'records',
      changeover: new Date(0),
      createdAt: at,
    });
    expect(commitOn(itemOf(), both).embedded).toMatchObject({ schema: 'embedded', changeover: at });
  });
});

describe('a commit to an item of records', () => {
  const createdAt = later(-500);
  const stored = { readState: () => ({}), isSame: () => true, revision, createdAt, timeouts: [] };
  const item = itemOf({ schema: 'records', endpoint: undefined, changeover: at });

  it.each([
    ['both', { schema: 'records', createdAt: undefined, changeover: at }],
    ['embedded', { schema: 'embedded', createdAt, changeover: undefined }],
  ] as const)("with outbox: '%s'", (form, left) => {
    const openedSaga = { identity: orderSaga, stored, item, lease: undefined };
    expect(commitOn(item, { form, openedSaga }).embedded).toMatchObject({ state: 'kept', ...left });
  });
});

import { beforeEach, describe, expect, it } from '@jest/globals';
import { MemoryCommitter } from '../../../lib/testing/memory/committer.ts';
import { MemoryItems } from '../../../lib/testing/memory/items.ts';
import { MemoryOutboxStore } from '../../../lib/testing/memory/outbox-store.ts';
import { MemorySagaLocks } from '../../../lib/testing/memory/saga-locks.ts';
import { MemorySagaStore } from '../../../lib/testing/memory/saga-store.ts';
import { MemoryStorage } from '../../../lib/testing/memory/storage.ts';
import { MemoryUndispatchedRecords } from '../../../lib/testing/memory/undispatched-records.ts';
import { commitOf, orderSaga, outboxWrite } from '../../support/commits.ts';
import { codeOf, sagaboxErrorOf } from '../../support/error-of.ts';
import { outgoingMessage } from '../../support/outgoing-messages.ts';
import { sagaCreation } from '../../support/saga-writes.ts';

describe('an item in memory', () => {
  it('is visible as soon as it is written', () => {
    const items = new MemoryItems<number>();
    items.set('a', 1);
    expect([items.read('a'), items.read('b')]).toEqual([1, undefined]);
  });

  it.each<[string, (items: MemoryItems<number>) => void, number | undefined]>([
    ['it is shown', (items) => items.show('a'), 2],
    ['a condition looks at it', (items) => items.latest('a'), 2],
    ['it is written', (items) => items.set('a', 3), 3],
    ['it is deleted', (items) => items.delete('a'), undefined],
  ])('is read as it was while it is hidden, until %s', (_until, act, read) => {
    const items = new MemoryItems<number>();
    items.set('a', 2);
    items.hide('a', 1);
    expect([items.read('a'), items.get('a'), items.isHidden('a')]).toEqual([1, 2, true]);
    act(items);
    expect([items.read('a'), items.isHidden('a')]).toEqual([read, false]);
  });
});

describe('a commit in memory that is not visible yet', () => {
  const sagaKey = 'SAGA#OrderSaga#42';
  const recordKey = 'OUTBOX#orders#in-1';
  let storage: MemoryStorage;
  let committer: MemoryCommitter;
  const findRecord = () => new MemoryOutboxStore(storage, 'orders').find('in-1');
  const loadSaga = async () => (await new MemorySagaStore(storage).load(orderSaga)).stored;
  const clock = { now: () => new Date(1000), sleep: async () => {} };

  beforeEach(async () => {
    storage = new MemoryStorage();
    committer = new MemoryCommitter({ storage, endpoint: 'orders' });
    await committer.commit(
      commitOf({ ...sagaCreation({}), outbox: outboxWrite('in-1', [outgoingMessage()]) }),
    );
    storage.sagas.hide(sagaKey, undefined);
    storage.records.hide(recordKey, undefined);
  });

  it.each([
    ['saga', true, false],
    ['record', false, true],
  ])('may be read with its %s alone', async (shown, seesSaga, seesRecord) => {
    if (shown === 'saga') storage.sagas.show(sagaKey);
    else storage.records.show(recordKey);
    expect((await loadSaga()) !== undefined).toBe(seesSaga);
    expect((await findRecord()) !== undefined).toBe(seesRecord);
  });

  it('refuses a second commit of its record, which is visible from then on', async () => {
    expect(await codeOf(committer.commit(commitOf({ outbox: outboxWrite('in-1', []) })))).toBe(
      'DuplicateMessage',
    );
    expect([await loadSaga(), await findRecord()]).toMatchObject([undefined, { messageId: 'in-1' }]);
  });

  it('refuses a check that its saga is absent, which is visible from then on', async () => {
    const check = { kind: 'check', saga: orderSaga, read: undefined } as const;
    const error = await sagaboxErrorOf(
      committer.commit(commitOf({ saga: check, outbox: outboxWrite('in-2', []) })),
    );
    expect(error.code).toBe('SagaConcurrency');
    expect(await loadSaga()).toBeDefined();
  });

  it('gives the latest saga to whoever takes its lease', async () => {
    const locks = new MemorySagaLocks(storage, new MemorySagaStore(storage), clock);
    const lease = { owner: 'me', until: new Date(5000) };
    const outcome = await locks.tryAcquire(orderSaga, lease, 'existing');
    expect(outcome).toMatchObject({ outcome: 'acquired', stored: { revision: { version: 1 } } });
  });

  it('has its record found by a search once it is visible, and claimed before', async () => {
    const undispatched = new MemoryUndispatchedRecords(storage, 'orders');
    const search = async () => {
      const found: string[] = [];
      for await (const { messageId } of undispatched.find(new Date('2027-01-01'))) found.push(messageId);
      return found;
    };
    expect(await search()).toEqual([]);
    const lease = { owner: 'relay', until: new Date(5000) };
    expect(await undispatched.claim({ messageId: 'in-1' }, lease, new Date(1000))).toBe('claimed');
    expect(await search()).toEqual(['in-1']);
  });
});

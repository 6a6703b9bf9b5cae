import { describe, expect, it } from '@jest/globals';
import type { OutboxRecord } from '../../../lib/outbox/record.ts';
import { MemoryCommitter } from '../../../lib/testing/memory/committer.ts';
import { MemoryOutboxStore } from '../../../lib/testing/memory/outbox-store.ts';
import { MemorySagaStore } from '../../../lib/testing/memory/saga-store.ts';
import { MemoryStorage } from '../../../lib/testing/memory/storage.ts';
import { commitOf, orderSaga, outboxWrite, userPut } from '../../support/commits.ts';
import { sagaboxErrorOf } from '../../support/error-of.ts';
import { outgoingMessage } from '../../support/outgoing-messages.ts';
import { sagaCreation } from '../../support/saga-writes.ts';

// What it shares with DynamoDB is in test/contract.
function leased(lease: { owner: string; until: Date } | undefined) {
  const storage = new MemoryStorage();
  if (lease) storage.leases.set('SAGA#OrderSaga#42', lease);
  return { storage, committer: new MemoryCommitter({ storage, endpoint: 'orders' }) };
}

describe('the committer in memory', () => {
  it('writes nothing when the state cannot be kept', async () => {
    const storage = new MemoryStorage();
    const committer = new MemoryCommitter({ storage, endpoint: 'orders' });
    const commit = commitOf({
      ...sagaCreation({ callback: () => {} }),
      outbox: outboxWrite('in-1', [outgoingMessage()]),
      transactionItems: [userPut('users', 'USER#1')],
    });
    const error = await sagaboxErrorOf(committer.commit(commit));
    expect(error.code).toBe('UnsupportedState');
    expect(error.message).toContain('state.callback is a function: store data');
    expect(storage).toEqual(new MemoryStorage());
  });

  it('keeps when a saga was created, whenever it is updated', async () => {
    const storage = new MemoryStorage();
    const committer = new MemoryCommitter({ storage, endpoint: 'orders' });
    const sagas = new MemorySagaStore(storage);
    await committer.commit({ ...sagaCreation({}), at: new Date(1000) });
    const { stored: created } = await sagas.load(orderSaga);
    expect(created?.createdAt).toEqual(new Date(1000));

    const { revision: read, createdAt } = created as NonNullable<typeof created>;
    const update = {
      kind: 'update',
      saga: orderSaga,
      state: { paid: true },
      timeouts: [],
      read,
      createdAt,
    } as const;
    await committer.commit(commitOf({ saga: update, at: new Date(2000) }));
    expect((await sagas.load(orderSaga)).stored?.createdAt).toEqual(new Date(1000));
  });

  it.each([undefined, { owner: 'somebody', until: new Date(5000) }])(
    'writes a saga without a lease whoever has one on it: its version is what counts (%j)',
    async (lease) => {
      const { storage, committer } = leased(lease);
      await committer.commit(sagaCreation({}));
      expect([storage.sagas.size, storage.leases.size]).toEqual([1, 0]);
    },
  );

  it.each([undefined, { owner: 'somebody', until: new Date(5000) }])(
    'writes no saga under a lease that was lost (%j)',
    async (lease) => {
      const { storage, committer } = leased(lease);
      const creation = {
        kind: 'create',
        saga: orderSaga,
        state: {},
        timeouts: [],
        leaseOwner: 'me',
      } as const;
      const error = await sagaboxErrorOf(committer.commit(commitOf({ saga: creation })));
      expect(error).toMatchObject({ code: 'SagaConcurrency', facts: { operation: 'create', sagaId: '42' } });
      expect([storage.sagas.size, storage.leases.size]).toEqual([0, lease ? 1 : 0]);
    },
  );

  it('is not changed by what happens to a commit, or to a found record, afterwards', async () => {
    const storage = new MemoryStorage();
    const committer = new MemoryCommitter({ storage, endpoint: 'orders' });
    const outbox = new MemoryOutboxStore(storage, 'orders');
    const body = { list: [1] };
    await committer.commit(commitOf({ outbox: outboxWrite('in-1', [outgoingMessage({ body })]) }));
    body.list.push(2);
    const found = await outbox.find('in-1');
    expect(bodyOf(found)).toEqual({ list: [1] });

    const foundBody = bodyOf(found) as typeof body | undefined;
    foundBody?.list.push(3);
    const again = await outbox.find('in-1');
    expect(bodyOf(again)).toEqual({ list: [1] });
  });
});

function bodyOf(record: OutboxRecord | undefined): unknown {
  const [operation] = record?.operations ?? [];
  return operation && 'body' in operation ? operation.body : undefined;
}

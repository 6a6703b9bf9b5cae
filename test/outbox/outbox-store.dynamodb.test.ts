import { beforeEach, describe, expect, it } from '@jest/globals';
import { at, commitOf, outboxWrite, outboxWriteAsCommitted } from '../support/commits.ts';
import { codeOf, sagaboxErrorOf } from '../support/error-of.ts';
import { dynamoDBError } from '../support/faults.ts';
import { operationsOfSize, outgoingMessage } from '../support/outgoing-messages.ts';
import { randomText } from '../support/random-text.ts';
import { changeItem, deleteItem, itemsOf } from '../support/raw-items.ts';
import { storeForEachTest } from '../support/test-store.ts';

const store = storeForEachTest();
const { client, faults, commit } = store;

const chunkBytes = 350 * 1024;
const partition = 'OUTBOX#orders#in-1';

async function keep(packedBytes: number, fill?: string) {
  const record = outboxWrite('in-1', operationsOfSize(packedBytes, fill));
  await commit({ outbox: record });
  return record;
}

const find = () => store.ports.outbox.find('in-1');
const sortKeys = async () => [...(await itemsOf(client, store.tableName, partition)).keys()];

describe('large outbox records', () => {
  it.each([
    [chunkBytes, ['RECORD']],
    [chunkBytes + 1, ['CHUNK#0001', 'CHUNK#0002', 'RECORD']],
    [2 * chunkBytes, ['CHUNK#0001', 'CHUNK#0002', 'RECORD']],
    [2 * chunkBytes + 1, ['CHUNK#0001', 'CHUNK#0002', 'CHUNK#0003', 'RECORD']],
  ])('of %i packed bytes are the items %j', async (packedBytes, items) => {
    const { operations } = await keep(packedBytes);
    expect(await sortKeys()).toEqual(items);
    const found = await find();
    expect(found?.operations).toEqual(operations);
    expect(found?.chunkCount).toBe(items.length - 1);
  });

  it('come back whole when their chunks take several pages of a query', async () => {
    // A page ends at 1 MB.
    const { operations } = await keep(4 * chunkBytes);
    faults.reset();
    expect((await find())?.operations).toEqual(operations);
    expect(faults.operations.filter((operation) => operation === 'Query').length).toBeGreaterThan(1);
  });

  it('overwrite the chunks of an expired record, and ignore those that are left of it', async () => {
    await keep(3 * chunkBytes, 'o');
    await deleteItem(client, store.tableName, partition, 'RECORD');

    const { operations } = await keep(chunkBytes + 1, 'n');
    expect(await sortKeys()).toEqual(['CHUNK#0001', 'CHUNK#0002', 'CHUNK#0003', 'RECORD']);
    expect((await find())?.operations).toEqual(operations);
  });

  it('need no chunk of an expired record when they are small', async () => {
    await keep(2 * chunkBytes);
    await deleteItem(client, store.tableName, partition, 'RECORD');
    const { operations } = await keep(1000);
    expect((await find())?.operations).toEqual(operations);
  });

  it.each(['CHUNK#0001', 'CHUNK#0002', 'CHUNK#0003'])('are incomplete without %s', async (sortKey) => {
    await keep(3 * chunkBytes);
    await deleteItem(client, store.tableName, partition, sortKey);
    const error = await sagaboxErrorOf(find());
    expect(error.code).toBe('IncompleteOutboxRecord');
    expect(error.facts).toEqual({ endpoint: 'orders', messageId: 'in-1', detail: '2 of 3 chunks' });
  });

  it('are incomplete when a chunk has no operations', async () => {
    await keep(3 * chunkBytes);
    await changeItem(client, store.tableName, [partition, 'CHUNK#0002'], 'operations', undefined);
    expect(await codeOf(find())).toBe('IncompleteOutboxRecord');
  });

  it('are incomplete, and then dispatched, when another delivery marks them while they are read', async () => {
    const record = await keep(2 * chunkBytes);
    faults.plan('Query', async (_input, proceed) => {
      await store.ports.outbox.markDispatched(record, at);
      return proceed();
    });
    expect(await codeOf(find())).toBe('IncompleteOutboxRecord');
    expect(await find()).toMatchObject({ dispatched: true, operations: [] });
  });

  it('are unreadable when a chunk is damaged', async () => {
    await keep(2 * chunkBytes);
    await changeItem(client, store.tableName, [partition, 'CHUNK#0002'], 'operations', {
      B: Uint8Array.of(1, 2),
    });
    expect(await codeOf(find())).toBe('UnreadableItem');
  });
});

describe('large outbox records that are compressed', () => {
  const operations = [1, 2, 3].map((seed) =>
    outgoingMessage({ id: `out-${seed}`, body: randomText(300 * 1024, seed) }),
  );

  const outbox = outboxWriteAsCommitted('in-1', operations);

  beforeEach(async () => {
    expect(outbox).toMatchObject({ encoding: 'sb', chunkCount: 3 });
    await store.ports.committer.commit(commitOf({ outbox }));
  });

  it('come back whole', async () => {
    expect((await find())?.operations).toEqual(operations);
  });

  it.each(['CHUNK#0001', 'CHUNK#0003'])('are incomplete without %s', async (sortKey) => {
    await deleteItem(client, store.tableName, partition, sortKey);
    expect(await codeOf(find())).toBe('IncompleteOutboxRecord');
  });

  it('are unreadable, and stay, when a chunk is damaged or stands for another one', async () => {
    const items = await itemsOf(client, store.tableName, partition);
    const second = items.get('CHUNK#0002')?.operations;
    for (const [sortKey, value] of [
      ['CHUNK#0001', second],
      ['CHUNK#0003', { B: Uint8Array.of(1, 2) }],
    ] as const) {
      await changeItem(client, store.tableName, [partition, sortKey], 'operations', value);
      expect(await codeOf(find())).toBe('UnreadableItem');
    }
    expect(await sortKeys()).toEqual(['CHUNK#0001', 'CHUNK#0002', 'CHUNK#0003', 'RECORD']);
  });

  it('lose their chunks when they are marked', async () => {
    const found = await find();
    if (found) await store.ports.outbox.markDispatched(found, at);
    expect(await sortKeys()).toEqual(['RECORD']);
  });
});

describe('marking a large outbox record', () => {
  it('deletes its chunks', async () => {
    await store.ports.outbox.markDispatched(await keep(3 * chunkBytes), at);
    expect(await sortKeys()).toEqual(['RECORD']);
  });

  it('works on the record that was found as on the one that was stored', async () => {
    await keep(3 * chunkBytes);
    const found = await find();
    if (found) await store.ports.outbox.markDispatched(found, at);
    expect(await sortKeys()).toEqual(['RECORD']);
  });

  it('keeps all operations as sent, deletes the chunks, and marks, in this order', async () => {
    const record = await keep(2 * chunkBytes);
    faults.reset();
    await store.ports.outbox.markDispatched(record, at);
    expect(
      faults.requests.map(
        ({ operation, input }) => input.RequestItems?.[store.tableName]?.length ?? operation,
      ),
    ).toEqual(['UpdateItem', 2, 1]);
  });

  // Of the calls: UpdateItem (all is sent), BatchWriteItem (the chunks), BatchWriteItem (the mark).
  it.each([
    ['before it begins', 0, ['CHUNK#0001', 'CHUNK#0002', 'RECORD']],
    ['when all operations are kept as sent', 1, ['CHUNK#0001', 'CHUNK#0002', 'RECORD']],
    ['when a part of the chunks is deleted', 1.5, ['CHUNK#0002', 'RECORD']],
    ['when the chunks are deleted', 2, ['RECORD']],
  ])('that dies %s is finished by the next delivery, and leaves no chunk', async (_when, calls, left) => {
    const record = await keep(2 * chunkBytes);
    const death = dynamoDBError('ResourceNotFoundException');
    if (calls === 0) faults.fail('UpdateItem', death);
    if (calls === 2) faults.plan('BatchWriteItem', (_input, proceed) => proceed());
    faults.fail('BatchWriteItem', death, 3);
    await expect(store.ports.outbox.markDispatched(record, at)).rejects.toThrow();
    faults.reset();
    if (calls === 1.5) await deleteItem(client, store.tableName, partition, 'CHUNK#0001');
    expect(await sortKeys()).toEqual(left);

    const found = await find();
    const isKept = calls > 0;
    expect(found).toMatchObject({ dispatched: false, operations: isKept ? [] : record.operations });
    if (found) await store.ports.outbox.markDispatched(found, at);
    expect(await sortKeys()).toEqual(['RECORD']);
    expect(await find()).toMatchObject({ dispatched: true, operations: [], chunkCount: 0 });
  });

  it('does nothing when another delivery has marked it', async () => {
    const record = await keep(2 * chunkBytes);
    await store.ports.outbox.markDispatched(record, at);
    faults.reset();
    await store.ports.outbox.markDispatched(record, new Date(at.getTime() + 1));
    expect(faults.operations).toEqual(['UpdateItem']);
  });

  it('marks one whose state is damaged, rather than take it for dispatched', async () => {
    const record = await keep(2 * chunkBytes);
    await changeItem(client, store.tableName, [partition, 'RECORD'], 'dispatched', { NULL: true });
    await store.ports.outbox.markDispatched(record, at);
    expect(await sortKeys()).toEqual(['RECORD']);
    expect((await find())?.dispatched).toBe(true);
  });

  it('does not take a damaged bitmap for all that is sent', async () => {
    const { operations } = await keep(2 * chunkBytes);
    for (const sent of [{ B: Uint8Array.of(255, 255) }, { B: Uint8Array.of() }, { S: 'all' }]) {
      await changeItem(client, store.tableName, [partition, 'RECORD'], 'sent', sent);
      expect(await find()).toMatchObject({ dispatched: false, operations });
    }
    await changeItem(client, store.tableName, [partition, 'RECORD'], 'operationCount', { N: '0' });
    await changeItem(client, store.tableName, [partition, 'RECORD'], 'sent', undefined);
    expect(await codeOf(find())).toBe('IncompleteOutboxRecord');
  });

  it('leaves chunks of other records alone', async () => {
    const other = outboxWrite('in-2', operationsOfSize(chunkBytes + 1));
    await store.ports.committer.commit(commitOf({ outbox: other }));
    await store.ports.outbox.markDispatched(await keep(chunkBytes + 1), at);
    expect((await store.ports.outbox.find('in-2'))?.operations).toEqual(other.operations);
  });

  it('deletes again, after growing delays, what DynamoDB leaves unprocessed', async () => {
    const record = await keep(3 * chunkBytes);
    faults.reset();
    // Nothing is processed at first, then all but the last one.
    faults.plan('BatchWriteItem', async (input) => ({ $metadata: {}, UnprocessedItems: input.RequestItems }));
    faults.plan('BatchWriteItem', async (input) => {
      const [first, ...others] = input.RequestItems[store.tableName];
      await deleteItem(client, store.tableName, partition, first.DeleteRequest.Key.SK.S);
      return { $metadata: {}, UnprocessedItems: { [store.tableName]: others } };
    });
    await store.ports.outbox.markDispatched(record, at);

    expect(await sortKeys()).toEqual(['RECORD']);
    const batches = faults.requests.filter(({ operation }) => operation === 'BatchWriteItem');
    expect(batches.map(({ input }) => input.RequestItems[store.tableName].length)).toEqual([3, 3, 2, 1]);
    expect(store.clock.sleepsMs).toEqual([25, 50]);
  });

  it('gives up as Throttled when DynamoDB never processes them; the record is not marked then', async () => {
    const record = await keep(2 * chunkBytes);
    faults.plan(
      'BatchWriteItem',
      async (input) => ({ $metadata: {}, UnprocessedItems: input.RequestItems }),
      8,
    );
    const error = await sagaboxErrorOf(store.ports.outbox.markDispatched(record, at));
    expect(error.code).toBe('Throttled');
    expect(error.facts).toEqual({ operation: 'BatchWriteItem', reason: 'it was left unprocessed 8 times' });
    expect(await find()).toMatchObject({ dispatched: false, operations: [] });
    expect(faults.pending).toBe(0);
  });

  it('brings back a record that is gone, as dispatched, and deletes the chunks that are left of it', async () => {
    const record = await keep(2 * chunkBytes);
    await deleteItem(client, store.tableName, partition, 'RECORD');
    await store.ports.outbox.markDispatched(record, at);
    expect(await sortKeys()).toEqual(['RECORD']);
    expect(await find()).toMatchObject({ dispatched: true, operations: [] });
  });
});

import { brotliDecompressSync } from 'node:zlib';
import { describe, expect, it } from '@jest/globals';
import { pack } from '../../lib/outbox/packing.ts';
import { at, fingerprint, orderSaga, outboxWrite, outboxWriteAsCommitted } from '../support/commits.ts';
import { dynamoDBPorts } from '../support/dynamodb-ports.ts';
import { numberedMessages, operationsOfSize, outgoingMessage } from '../support/outgoing-messages.ts';
import { randomText } from '../support/random-text.ts';
import { allItems } from '../support/raw-items.ts';
import { sagaCompletion, sagaCreation, sagaUpdate } from '../support/saga-writes.ts';
import { storeForEachTest } from '../support/test-store.ts';

// Schema version 1, as it is stored in tables in use. A change here needs a new schemaVersion, and a reader
// of the old.

const store = storeForEachTest();
const { client, commit } = store;

/** What every record has. */
const recordItem = {
  PK: { S: 'OUTBOX#orders#in-1' },
  SK: { S: 'RECORD' },
  chunkCount: { N: '0' },
  storedAt: { S: '2026-01-02T03:04:05.678Z' },
  hash: { B: new Uint8Array(fingerprint) },
  schemaVersion: { N: '1' },
};

const dispatchedItem = (operationCount: string, dispatchedAt: string, expiresAt: string) => ({
  ...recordItem,
  dispatched: { BOOL: true },
  operationCount: { N: operationCount },
  dispatchedAt: { S: dispatchedAt },
  ExpiresAt: { N: expiresAt },
});

describe('what is stored', () => {
  it('of a saga is one item', async () => {
    let commits = 0;
    const newCommitId = () => {
      commits += 1;
      return `commit-${commits}`;
    };
    const { committer } = dynamoDBPorts({ client, sagaTable: store.tableName, newCommitId });
    const state = {
      text: 'żółw',
      number: -12.5,
      flag: true,
      nothing: null,
      list: [1, 'a'],
      map: { inner: '' },
      set: new Set(['x']),
      bytes: Uint8Array.of(0, 255),
      undefinedIsLeftOut: undefined,
    };
    await committer.commit(sagaCreation(state));
    const item = {
      PK: { S: 'SAGA#OrderSaga#42' },
      SK: { S: 'SAGA' },
      state: {
        M: {
          text: { S: 'żółw' },
          number: { N: '-12.5' },
          flag: { BOOL: true },
          nothing: { NULL: true },
          list: { L: [{ N: '1' }, { S: 'a' }] },
          map: { M: { inner: { S: '' } } },
          set: { SS: ['x'] },
          bytes: { B: Uint8Array.of(0, 255) },
        },
      },
      version: { N: '1' },
      commitId: { S: 'commit-1' },
      createdAt: { S: '2026-01-02T03:04:05.678Z' },
      updatedAt: { S: '2026-01-02T03:04:05.678Z' },
      schemaVersion: { N: '1' },
    };
    expect(await allItems(client, store.tableName)).toEqual([item]);

    await committer.commit({ ...sagaUpdate({}, 1), at: new Date('2027-01-01T00:00:00.000Z') });
    expect(await allItems(client, store.tableName)).toEqual([
      {
        ...item,
        state: { M: {} },
        version: { N: '2' },
        commitId: { S: 'commit-2' },
        updatedAt: { S: '2027-01-01T00:00:00.000Z' },
      },
    ]);
  });

  it.each([
    [undefined, undefined, '1'],
    [1, undefined, '1'],
    [2, { N: '2' }, '3'],
  ])('of a state of version %s tells it, from 2 on', async (stateVersion, told, schema) => {
    const version = stateVersion !== undefined && { stateVersion };
    await commit({ saga: { kind: 'create', saga: orderSaga, state: {}, timeouts: [], ...version } });
    const [item] = await allItems(client, store.tableName);
    expect(item?.stateVersion).toEqual(told);
    expect(item?.schemaVersion).toEqual({ N: schema });
  });

  it('of a saga with timeouts to come has them beside its state', async () => {
    const timeouts = [
      { id: 'out-1', type: 'PaymentTimedOut', scheduled: true },
      { id: 'out-2', type: 'Reminded', scheduled: false },
    ];
    await commit({ saga: { kind: 'create', saga: orderSaga, state: {}, timeouts } });
    const [item] = await allItems(client, store.tableName);
    expect(item?.timeouts).toEqual({
      L: [
        { M: { id: { S: 'out-1' }, type: { S: 'PaymentTimedOut' }, scheduled: { BOOL: true } } },
        { M: { id: { S: 'out-2' }, type: { S: 'Reminded' }, scheduled: { BOOL: false } } },
      ],
    });
    expect((await store.ports.sagas.load(orderSaga))?.timeouts).toEqual(timeouts);
  });

  it('of a completed saga is nothing', async () => {
    await commit(sagaCreation({}));
    await commit(sagaCompletion(1));
    expect(await allItems(client, store.tableName)).toEqual([]);
  });

  it('of a new record is one item with all operations packed, and no time to live', async () => {
    const operations = [
      outgoingMessage({ body: { text: 'żółw', list: [] } }),
      outgoingMessage({ id: 'out-2', headers: {}, delaySeconds: 60, messageGroupId: 'group' }),
    ];
    await commit({ outbox: outboxWrite('in-1', operations) });
    expect(await allItems(client, store.tableName)).toEqual([
      {
        ...recordItem,
        dispatched: { BOOL: false },
        operations: { B: expect.any(Uint8Array) },
        encoding: { S: 's' },
        operationCount: { N: '2' },
      },
    ]);
    const [record] = await allItems(client, store.tableName);
    expect(Buffer.from(record?.operations?.B ?? []).toString('utf8')).toBe(
      '[{"d":"billing","t":"ChargeCard"},[],[{"text":"żółw","list":[]},{"orderId":"42"}],' +
        '[{"i":"out-1","h":[0,"a"]},{"i":"out-2","s":60,"g":"group"}]]',
    );
  });

  it('of a record with nothing to send is dispatched from the start, with its time to live', async () => {
    await commit({ outbox: outboxWrite('in-1', []) });
    // 2026-01-02T03:04:06Z, rounded up, and 7 days.
    const expected = dispatchedItem('0', '2026-01-02T03:04:05.678Z', '1767927846');
    expect(await allItems(client, store.tableName)).toEqual([expected]);
  });

  it('of a record that was dispatched later has lost its operations, and lives from its dispatch', async () => {
    const record = outboxWrite('in-1', [outgoingMessage()]);
    await commit({ outbox: record });
    const later = '2026-01-02T04:00:00.000Z';
    await store.ports.outbox.markDispatched(record, new Date(later));
    const expected = dispatchedItem('1', later, '1767931200');
    expect(await allItems(client, store.tableName)).toEqual([expected]);
  });

  it('of a record that is too large for one item is a record without operations, and chunks of them', async () => {
    const record = outboxWrite('in-1', operationsOfSize(2 * 350 * 1024 + 1));
    await commit({ outbox: record });
    const items = await allItems(client, store.tableName);
    const chunk = { PK: { S: 'OUTBOX#orders#in-1' }, schemaVersion: { N: '1' } };
    const bytes = expect.any(Uint8Array);
    expect(items).toEqual([
      { ...chunk, SK: { S: 'CHUNK#0001' }, operations: { B: bytes } },
      { ...chunk, SK: { S: 'CHUNK#0002' }, operations: { B: bytes } },
      { ...chunk, SK: { S: 'CHUNK#0003' }, operations: { B: bytes } },
      {
        ...recordItem,
        dispatched: { BOOL: false },
        encoding: { S: 's' },
        operationCount: { N: '1' },
        chunkCount: { N: '3' },
      },
    ]);
    const chunks = items.slice(0, 3).map((item) => Buffer.from(item.operations?.B ?? []));
    expect(chunks.map((part) => part.byteLength)).toEqual([358_400, 358_400, 1]);
    const identity = { endpoint: 'orders', messageId: 'in-1' };
    expect(Buffer.concat(chunks)).toEqual(Buffer.from(pack(record.operations, identity)));
  });

  it('of a record whose operations are compressed says so once, and no more when they are dispatched', async () => {
    const small = outboxWriteAsCommitted('in-1', numberedMessages(40));
    const large = outboxWriteAsCommitted('in-2', [outgoingMessage({ body: randomText(450 * 1024) })]);
    for (const outbox of [small, large]) await commit({ outbox });
    const record = { ...recordItem, dispatched: { BOOL: false }, encoding: { S: 'sb' } };
    const operations = { B: expect.any(Uint8Array) };
    const chunk = { PK: { S: 'OUTBOX#orders#in-2' }, operations, schemaVersion: { N: '1' } };
    const items = await allItems(client, store.tableName);
    expect(items).toEqual([
      { ...record, operations, operationCount: { N: '40' } },
      { ...chunk, SK: { S: 'CHUNK#0001' } },
      { ...chunk, SK: { S: 'CHUNK#0002' } },
      { ...record, PK: { S: 'OUTBOX#orders#in-2' }, operationCount: { N: '1' }, chunkCount: { N: '2' } },
    ]);
    const bodiesOf = (parts: typeof items): unknown =>
      JSON.parse(
        brotliDecompressSync(
          Buffer.concat(parts.map((item) => item.operations?.B ?? new Uint8Array())),
        ).toString(),
      )[2];
    const sentBodies = ({ operations }: typeof small) =>
      operations.map((sent) => 'body' in sent && sent.body);
    expect(bodiesOf(items.slice(0, 1))).toEqual(sentBodies(small));
    expect(bodiesOf(items.slice(1, 3))).toEqual(sentBodies(large));

    for (const write of [small, large]) await store.ports.outbox.markDispatched(write, at);
    for (const item of await allItems(client, store.tableName)) {
      expect(item).toMatchObject({ SK: { S: 'RECORD' }, dispatched: { BOOL: true } });
      expect(item).not.toHaveProperty('encoding');
    }
  });

  it('under an id of 512 bytes has it for a key, and its SHA-256 under a longer one', async () => {
    const id = 'x'.repeat(513);
    await commit({ ...sagaCreation({}, { name: 'OrderSaga', id }), outbox: outboxWrite(id, []) });
    await commit({ outbox: outboxWrite('x'.repeat(512), []) });
    const hash = '35ade0090e64e74d6ad04204009c23a4e34b82bdf0f4f317fbcc5f26f9b10241';
    expect((await allItems(client, store.tableName)).map((item) => item.PK?.S)).toEqual([
      `OUTBOX#orders#${hash}`,
      `OUTBOX#orders#${'x'.repeat(512)}`,
      `SAGA#OrderSaga#${hash}`,
    ]);
  });
});

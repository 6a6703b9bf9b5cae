import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { compress } from '../../lib/dynamodb/compression.ts';
import { MAX_PACKED_BYTES, pack } from '../../lib/outbox/packing.ts';
import { MAX_STATE_BYTES } from '../../lib/saga/item/compressed-state.ts';
import { orderSaga, outboxWriteAsCommitted, storedRecord } from '../support/commits.ts';
import { dynamoDBPorts } from '../support/dynamodb-ports.ts';
import { codeOf, sagaboxErrorOf } from '../support/error-of.ts';
import { numberedMessages, outgoingMessage } from '../support/outgoing-messages.ts';
import { allItems, changeItem } from '../support/raw-items.ts';
import { sagaCreation } from '../support/saga-writes.ts';
import { storeForEachTest } from '../support/test-store.ts';

const store = storeForEachTest();
const { client, commit } = store;

type Change = [what: string, name: string, value: AttributeValue | undefined, detail: string];
const identity = { endpoint: 'orders', messageId: 'in-1' };
const packed = (text: string): AttributeValue => ({ B: Buffer.from(text, 'utf8') });
/** Right but for one byte in a text. */
const brokenText: AttributeValue = { B: Buffer.from('[{"d":"billing","t":"A"},[],["\xff"]]', 'latin1') };
const otherVersions: Change[] = [
  ['has a newer schemaVersion', 'schemaVersion', { N: '4' }, 'schemaVersion is 4, not 1'],
  ['has no schemaVersion', 'schemaVersion', undefined, 'schemaVersion is missing, not 1'],
];

const record = ['OUTBOX#orders#in-1', 'RECORD'] as const;
const change = (name: string, value: AttributeValue | undefined) =>
  changeItem(client, store.tableName, record, name, value);
const find = () => store.ports.outbox.find('in-1');

/** The error of a record with this change, which its reading leaves as it is. */
async function errorOfChanged(name: string, value: AttributeValue | undefined) {
  await change(name, value);
  const before = await allItems(client, store.tableName);
  const error = await sagaboxErrorOf(find());
  expect(await allItems(client, store.tableName)).toEqual(before);
  return error;
}

describe('an outbox record', () => {
  const damages: Change[] = [
    ...otherVersions,
    ['has operations that are no JSON', 'operations', packed('[{'), 'its operations are damaged'],
    ['has operations that are no UTF-8', 'operations', brokenText, 'its operations are damaged'],
    ['has operations that are no list', 'operations', packed('{"d":"billing"}'), 'damaged'],
    ['has operations without their fields', 'operations', packed('[{"d":"billing"},[],["a"]]'), 'damaged'],
    ['has null for its operations', 'operations', packed('[{},[],null]'), 'damaged'],
    ['has lost its encoding', 'encoding', undefined, 'the encoding of its operations is missing'],
  ];
  const gaps: Change[] = [
    ['has lost its operations', 'operations', undefined, 'it has no operations'],
    ['has fewer operations than it counts', 'operationCount', { N: '2' }, '1 of 2 operations'],
    ['has more operations than it counts', 'operationCount', { N: '0' }, '1 of 0 operations'],
    ['has lost its operationCount', 'operationCount', undefined, '1 of NaN operations'],
    ['has lost its chunkCount', 'chunkCount', undefined, 'it has no chunkCount'],
    [
      'counts more chunks than a commit writes',
      'chunkCount',
      { N: '48' },
      'its chunkCount is 48, which no commit writes',
    ],
    ['counts as many chunks as a commit may write', 'chunkCount', { N: '47' }, '0 of 47 chunks'],
    ['counts a part of a chunk', 'chunkCount', { N: '1.5' }, 'its chunkCount is 1.5, which no commit writes'],
    ['counts chunks that are not there', 'chunkCount', { N: '1' }, '0 of 1 chunks'],
  ];

  beforeEach(async () => {
    await commit(storedRecord('in-1', [outgoingMessage()]));
  });

  it.each(damages)(
    'that %s is unreadable, not empty, and stays as it is',
    async (_what, name, value, detail) => {
      const error = await errorOfChanged(name, value);
      expect(error.code).toBe('UnreadableItem');
      expect(error.message).toContain(
        "The outbox record of message 'in-1' at endpoint 'orders' cannot be read",
      );
      expect(error.message).toContain(detail);
    },
  );

  it('that does not say whether it was dispatched is sent again rather than lost', async () => {
    await change('dispatched', undefined);
    const record = await find();
    expect(record).toMatchObject({ dispatched: false, operations: [{ id: 'out-1' }] });
  });

  it.each(gaps)('that %s is incomplete, not empty', async (_what, name, value, detail) => {
    const error = await errorOfChanged(name, value);
    expect(error.code).toBe('IncompleteOutboxRecord');
    expect(error.facts).toEqual({ endpoint: 'orders', messageId: 'in-1', detail });
  });
});

/** Inflates to one byte more than is read. */
const bomb = compress(new Uint8Array(MAX_PACKED_BYTES + 1).fill(0x20));

describe('an outbox record with compressed operations', () => {
  const operations = numberedMessages(40);
  const compressed = compress(pack(operations, identity));
  const broken = Uint8Array.from(compressed, (byte, index) => (index === 40 ? byte ^ 0xff : byte));

  const damages: Change[] = [
    ['is cut off', 'operations', { B: compressed.subarray(0, -1) }, 'its operations are damaged'],
    ['has a wrong byte', 'operations', { B: broken }, 'its operations are damaged'],
    ['has operations of no bytes', 'operations', { B: new Uint8Array() }, 'its operations are damaged'],
    [
      'has something behind them',
      'operations',
      { B: Buffer.concat([compressed, compressed]) },
      'something else follows',
    ],
    ['inflates beyond the bound', 'operations', { B: bomb }, 'inflate to more than 16777216 bytes'],
    ['inflates to no JSON', 'operations', { B: compress(Buffer.from('[{')) }, 'its operations are damaged'],
    [
      'inflates to JSON and more',
      'operations',
      { B: compress(Buffer.from('[]x')) },
      'its operations are damaged',
    ],
    [
      'is not compressed after all',
      'operations',
      { B: pack(operations, identity) },
      'its operations are damaged',
    ],
    ['has the encoding of others', 'encoding', { S: 's' }, 'its operations are damaged'],
    ['has lost its encoding', 'encoding', undefined, 'the encoding of its operations is missing'],
    [
      'has an unknown encoding',
      'encoding',
      { S: 'zstd' },
      "the encoding of its operations is 'zstd', which is not known",
    ],
  ];

  beforeEach(async () => {
    const outbox = outboxWriteAsCommitted('in-1', operations);
    expect(outbox.encoding).toBe('sb');
    await commit({ outbox });
  });

  it('comes back as it was', async () => {
    expect((await find())?.operations).toEqual(operations);
  });

  it.each(damages)('that %s is unreadable, and stays as it is', async (_what, name, value, detail) => {
    const error = await errorOfChanged(name, value);
    expect(error.code).toBe('UnreadableItem');
    expect(error.message).toContain(detail);
  });

  it('is incomplete with fewer operations than it counts', async () => {
    const error = await errorOfChanged('operationCount', { N: '41' });
    expect(error.code).toBe('IncompleteOutboxRecord');
    expect(error.facts).toEqual({ endpoint: 'orders', messageId: 'in-1', detail: '40 of 41 operations' });
  });

  it('needs no encoding that is known once it is dispatched', async () => {
    const record = await find();
    if (record) await store.ports.outbox.markDispatched(record, record.storedAt);
    await change('encoding', { S: 'zstd' });
    expect(await find()).toMatchObject({ dispatched: true });
  });
});

describe('a saga item', () => {
  const damages: Change[] = [
    ...otherVersions,
    ['has no state', 'state', undefined, 'it has no state'],
    ['has a state that is no map', 'state', { S: 'text' }, 'it has no state'],
    ['has a version that is no number', 'version', { S: 'one' }, 'its version is not a number'],
    ['has a version that is no whole number', 'version', { N: '1.5' }, 'its version is not a number'],
    ['has a stateVersion of 0', 'stateVersion', { N: '0' }, 'its stateVersion is not a whole number from 1'],
    [
      'has a stateVersion of text',
      'stateVersion',
      { S: '2' },
      'its stateVersion is not a whole number from 1',
    ],
    ['has no commitId', 'commitId', undefined, 'it has no commitId'],
    ['has an empty commitId', 'commitId', { S: '' }, 'it has no commitId'],
    ['has no createdAt', 'createdAt', undefined, 'createdAt is not a date'],
    ['has a createdAt that is no date', 'createdAt', { S: 'yesterday' }, 'createdAt is not a date'],
  ];

  it.each(damages)('that %s is unreadable, and stays as it is', async (_what, name, value, detail) => {
    await commit(sagaCreation({}));
    await changeItem(client, store.tableName, ['SAGA#OrderSaga#42', 'SAGA'], name, value);
    const before = await allItems(client, store.tableName);
    const error = await sagaboxErrorOf(store.ports.sagas.load(orderSaga));
    expect(error.code).toBe('UnreadableItem');
    const told = detail.replace('not 1', 'not 1 or 2 or 3');
    expect(error.facts).toEqual({ item: "The 'OrderSaga' saga with id '42'", detail: told });
    expect(await allItems(client, store.tableName)).toEqual(before);
  });
});

describe('a saga item with a compressed state', () => {
  const state = { note: 'n'.repeat(2_000), tags: new Set(['a']) };
  const compressed = (json: string): AttributeValue => ({ B: compress(Buffer.from(json)) });
  const whole = compressed('{"paid":{"BOOL":true}}');
  const bomb = { B: compress(new Uint8Array(MAX_STATE_BYTES + 1).fill(0x20)) };
  const damaged = 'its compressed state is damaged: ';
  const damages: Change[] = [
    [
      'has an unknown encoding',
      'encoding',
      { S: 'zstd' },
      "the encoding of its state is 'zstd', which is not known",
    ],
    [
      'has an encoding that is no string',
      'encoding',
      { N: '1' },
      "the encoding of its state is 'undefined', which is not known",
    ],
    ['has lost its encoding', 'encoding', undefined, 'it has no state'],
    ['has lost its state', 'state', undefined, 'it has no compressed state'],
    ['has a state that is a map', 'state', { M: {} }, 'it has no compressed state'],
    ['is cut off', 'state', { B: whole.B?.subarray(0, -1) as Uint8Array }, 'unexpected end of file'],
    ['inflates beyond the bound', 'state', bomb, `${damaged}they inflate to more than 4194304 bytes`],
    ['inflates to a list', 'state', compressed('[]'), 'it is no map of attributes'],
  ];

  it.each(damages)('that %s is unreadable, and stays as it is', async (_what, name, value, detail) => {
    const ports = dynamoDBPorts({ client, sagaTable: store.tableName, compressesState: true });
    await ports.committer.commit(sagaCreation(state));
    expect((await store.ports.sagas.load(orderSaga))?.readState()).toEqual(state);
    await changeItem(client, store.tableName, ['SAGA#OrderSaga#42', 'SAGA'], name, value);
    const before = await allItems(client, store.tableName);
    const error = await sagaboxErrorOf(store.ports.sagas.load(orderSaga));
    expect(error.code).toBe('UnreadableItem');
    expect(error.facts).toEqual({
      item: "The 'OrderSaga' saga with id '42'",
      detail: expect.stringContaining(detail),
    });
    expect(await allItems(client, store.tableName)).toEqual(before);
  });
});

it('a saga whose timeouts have lost their parts still has its state', async () => {
  await commit(sagaCreation({ paid: true }));
  const timeouts: AttributeValue = { L: [{ M: {} }, { S: 'timeout' }] };
  await changeItem(client, store.tableName, ['SAGA#OrderSaga#42', 'SAGA'], 'timeouts', timeouts);
  const saga = await store.ports.sagas.load(orderSaga);
  expect(saga?.readState()).toEqual({ paid: true });
  const lost = { id: '', type: '', scheduled: false };
  expect(saga?.timeouts).toEqual([lost, lost]);
});

it('a record that is dispatched, and counts a billion chunks, makes no call for each of them', async () => {
  await commit(storedRecord('in-1', []));
  await change('chunkCount', {
    N: '1000000000',
  });
  expect(await codeOf(find())).toBe('IncompleteOutboxRecord');
});

describe('the levels of a state', () => {
  const nested = (levels: number): unknown => (levels === 0 ? 1 : { a: nested(levels - 1) });

  it('may be as many as DynamoDB takes', async () => {
    await commit(sagaCreation(nested(31)));
    const saga = await store.ports.sagas.load(orderSaga);
    expect(saga?.readState()).toEqual(nested(31));
  });

  it.each([32, 5000, 10_000])('may not be %d: refused before any call', async (levels) => {
    let state: unknown = 1;
    for (let level = 0; level < levels; level += 1) state = { a: state };
    expect(await codeOf(commit(sagaCreation(state)))).toBe('UnsupportedState');
    expect(await allItems(client, store.tableName)).toEqual([]);
  });
});

it('a saga whose state the mapper does not take is unreadable', async () => {
  await commit(sagaCreation({}));
  // It has more digits than a number of JavaScript keeps, and is none for a big integer.
  const value = { M: { total: { N: '9007199254740993.5' } } };
  await changeItem(client, store.tableName, ['SAGA#OrderSaga#42', 'SAGA'], 'state', value);
  const saga = await store.ports.sagas.load(orderSaga);
  expect(() => saga?.readState()).toThrow(
    expect.objectContaining({ code: 'UnreadableItem', message: expect.stringContaining('cannot be mapped') }),
  );
});

import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { beforeEach, describe, expect, it } from '@jest/globals';
import type { OutboxRecord } from '../../../../lib/core/outbox/record.ts';
import { CapacityMeter } from '../../../../lib/core/storage/capacity-meter.ts';
import { sagaKey } from '../../../../lib/core/storage/keys.ts';
import { relayShards } from '../../../../lib/core/storage/relay-index.ts';
import { at } from '../../../support/commits.ts';
import { commitToSaga, entryOf } from '../../../support/embedded-commits.ts';
import { dynamoDBClient } from '../../../support/engines.ts';
import { ClientFaults } from '../../../support/faults.ts';
import { numberedMessages } from '../../../support/outgoing-messages.ts';
import { allItems } from '../../../support/raw-items.ts';
import {
  createIndexedTable,
  DEDUPLICATION_SECONDS,
  dynamoDBRelay,
  type RelayStores,
} from '../../../support/relay-subject.ts';

const meter = new CapacityMeter();
const laterBy = (ms: number) => new Date(at.getTime() + ms);

describe('the item of a saga in the relay index', () => {
  let client: DynamoDBClient;
  let tableName: string;
  let stores: RelayStores;

  beforeEach(async () => {
    client = dynamoDBClient();
    tableName = await createIndexedTable(client);
    stores = dynamoDBRelay({ client, tableName, strategy: 'index' });
  });

  const commit = (messageId: string, count = 1, { committedAt = at, ends = false } = {}) =>
    commitToSaga(stores, { messageId, operations: numberedMessages(count), committedAt, ends });
  const item = async () => (await allItems(client, tableName))[0] ?? {};
  const pending = async () => Object.values((await item()).pending?.M ?? {}).map(({ M }) => M?.id?.S);
  const read = async (messageId: string) =>
    await stores.embedded.find(await entryOf(stores, messageId), meter);

  async function mark(messageId: string, record = read(messageId)): Promise<void> {
    const found = await record;
    if (found) await stores.embedded.markDispatched(found, at, meter);
  }

  async function found(storedBefore = laterBy(10_000)): Promise<string[]> {
    const ids: string[] = [];
    for await (const { messageId } of stores.undispatched.find(storedBefore, meter)) ids.push(messageId);
    return ids.toSorted();
  }

  it('is there from its first entry to the mark of the last, by the oldest', async () => {
    await commit('m1');
    await commit('m2', 1, { committedAt: laterBy(1000) });
    const { recoveryShard, storedAt } = await item();
    expect(relayShards('orders')).toContain(recoveryShard?.S);
    expect(storedAt?.S).toBe(at.toISOString());
    expect(await found()).toEqual(['m1', 'm2']);
    expect(await found(laterBy(1000))).toEqual(['m1']);

    await mark('m1');
    expect(await found()).toEqual(['m2']);
    expect(await found(laterBy(1000))).toEqual([]);
    await mark('m2');
    expect(await item()).toMatchObject({ state: expect.anything(), pending: { M: {} }, recoveryShard });
    expect(await item()).not.toHaveProperty('storedAt');

    await commit('m3', 1, { committedAt: laterBy(2000) });
    expect((await item()).storedAt?.S).toBe(laterBy(2000).toISOString());
  });

  it('is not there while nothing is pending, and stays there with a commit that sends nothing', async () => {
    await commit('m1', 0);
    expect(await item()).not.toHaveProperty('storedAt');
    await commit('m2');
    await commit('m3', 0, { committedAt: laterBy(1000) });
    expect(await found()).toEqual(['m2']);
  });

  it('stays there with a mark that knows nothing of a later entry', async () => {
    await commit('m1');
    const early = await read('m1');
    await commit('m2');
    await mark('m1', Promise.resolve(early));
    expect(await pending()).toEqual(['m2']);
    expect(await found()).toEqual(['m2']);
  });

  it('leaves it with a mark that takes an entry for one of several', async () => {
    await commit('m1');
    await commit('m2');
    const early = await read('m2');
    await mark('m1');
    await mark('m2', Promise.resolve(early));
    expect(await pending()).toEqual([]);
    expect(await item()).not.toHaveProperty('storedAt');
  });

  it('leaves it as a tombstone that expires', async () => {
    await commit('m1', 0);
    await commit('m2', 1, { ends: true });
    expect(await found()).toEqual(['m2']);
    await mark('m2');
    const { storedAt, updatedAt, ExpiresAt } = await item();
    expect(storedAt).toBeUndefined();
    expect(Number(ExpiresAt?.N)).toBe(Number(updatedAt?.N) + DEDUPLICATION_SECONDS);
  });

  describe('leaves it with others by the statements of one call', () => {
    const saga = (id: string) => ({ name: 'Embedded', id });
    const itemOf = async (id: string) =>
      (await allItems(client, tableName)).find(({ PK }) => PK?.S === sagaKey(saga(id)).partition);
    const readOf = async (id: string, messageId = id) =>
      await stores.embedded.find(await entryOf(stores, messageId, saga(id)), meter);
    const send = (id: string, messageId = id) =>
      commitToSaga(stores, { messageId, operations: numberedMessages(1), saga: saga(id) });

    async function markAll(records: readonly (OutboxRecord | undefined)[]): Promise<string[]> {
      const faults = new ClientFaults(client);
      const marks = records.map((record) => mark('', Promise.resolve(record)));
      await Promise.all(marks);
      return faults.requests.map(({ operation }) => operation);
    }

    it('where nothing else is pending', async () => {
      for (const id of ['a', 'b']) await send(id);
      const calls = await markAll([await readOf('a'), await readOf('b')]);
      expect(calls).toEqual(['BatchExecuteStatement']);
      expect(await found()).toEqual([]);
      for (const id of ['a', 'b']) {
        expect(await itemOf(id)).toMatchObject({ state: expect.anything(), pending: { M: {} } });
        expect(await itemOf(id)).not.toHaveProperty('storedAt');
      }
    });

    it('where two messages were committed together, and both are sent', async () => {
      for (const id of ['a', 'b']) await send(id);
      await send('a', 'a2');
      const calls = await markAll([await readOf('a'), await readOf('a', 'a2'), await readOf('b')]);
      expect(calls).toEqual(['BatchExecuteStatement']);
      expect(await found()).toEqual([]);
    });

    it('and stays by a call of its own where a commit came between', async () => {
      for (const id of ['a', 'b']) await send(id);
      const early = [await readOf('a'), await readOf('b')];
      await send('a', 'late');
      expect((await markAll(early))[0]).toBe('BatchExecuteStatement');
      expect(await found()).toEqual(['late']);
      expect(Object.keys((await itemOf('a'))?.pending?.M ?? {})).toHaveLength(1);
      expect(await itemOf('a')).toHaveProperty('storedAt');
      expect(await itemOf('b')).not.toHaveProperty('storedAt');
    });

    it('and leaves it by a call of its own where a commit that sends nothing came between', async () => {
      for (const id of ['a', 'b']) await send(id);
      const early = [await readOf('a'), await readOf('b')];
      await commitToSaga(stores, { messageId: 'late', operations: [], saga: saga('a') });
      await markAll(early);
      expect(await found()).toEqual([]);
      expect(await itemOf('a')).toMatchObject({ pending: { M: {} } });
      expect(await itemOf('a')).not.toHaveProperty('storedAt');
    });

    it('and stays where one that was marked before is marked again with another one', async () => {
      for (const id of ['a', 'b']) await send(id);
      const old = await readOf('a');
      await mark('', Promise.resolve(old));
      for (const id of ['x', 'y']) await send('a', id);
      await markAll([old, await readOf('a', 'y'), await readOf('b')]);
      expect(await found()).toEqual(['x']);
    });

    it('and changes nothing where others have marked it', async () => {
      for (const id of ['a', 'b']) await send(id);
      const records = [await readOf('a'), await readOf('b')];
      await markAll(records);
      const before = await allItems(client, tableName);
      await markAll(records);
      expect(await allItems(client, tableName)).toEqual(before);
    });
  });

  it('has no entries any more when it was marked since the index was read', async () => {
    await commit('m1');
    const record = await read('m1');
    new ClientFaults(client).plan('BatchGetItem', async (_input, proceed) => {
      await mark('m1', Promise.resolve(record));
      return await proceed();
    });
    expect(await found()).toEqual([]);
    expect(await pending()).toEqual([]);
  });
});

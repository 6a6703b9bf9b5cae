import { createHash } from 'node:crypto';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { newLease } from '../../../../lib/core/saga/lease.ts';
import { CapacityMeter } from '../../../../lib/core/storage/capacity-meter.ts';
import { relayShards } from '../../../../lib/core/storage/relay-index.ts';
import { at, storedRecord } from '../../../support/commits.ts';
import { dynamoDBClient } from '../../../support/engines.ts';
import { ClientFaults, disableSdkRetries, dynamoDBError } from '../../../support/faults.ts';
import { interceptCalls } from '../../../support/intercepted-calls.ts';
import { numberedMessages } from '../../../support/outgoing-messages.ts';
import { changeItem, itemsOf } from '../../../support/raw-items.ts';
import { createIndexedTable, dynamoDBRelay, type RelayStores } from '../../../support/relay-subject.ts';

const later = new Date(at.getTime() + 1);
const hashLike = createHash('sha256').update('m1').digest('hex');
const keyOfHashLike = `OUTBOX#orders#${createHash('sha256').update(hashLike).digest('hex')}`;

let client: ReturnType<typeof dynamoDBClient>;
let faults: ClientFaults;
let tableName: string;
let stores: RelayStores;

beforeEach(async () => {
  client = dynamoDBClient();
  faults = new ClientFaults(client);
  tableName = await createIndexedTable(client);
  stores = dynamoDBRelay({ client, tableName, strategy: 'index' });
});

const meter = new CapacityMeter();
const lease = newLease('a', at, 60_000);
const commit = (messageId: string, count = 1) =>
  stores.committer.commit(storedRecord(messageId, numberedMessages(count)), meter);
const recordItem = async (partition = 'OUTBOX#orders#m1') =>
  (await itemsOf(client, tableName, partition)).get('RECORD');

async function mark(messageId: string): Promise<void> {
  const record = await stores.outbox.find(messageId, meter);
  if (record) await stores.outbox.markDispatched(record, at, meter);
}

async function found(): Promise<string[]> {
  const ids: string[] = [];
  for await (const { messageId } of stores.undispatched.find(later, meter)) ids.push(messageId);
  return ids;
}

describe('a record that is not dispatched', () => {
  it('is in one of 16 shards of the index, and leaves it with the mark', async () => {
    await commit('m1');
    const shard = (await recordItem())?.recoveryShard?.S ?? '';
    expect(relayShards('orders')).toContain(shard);
    expect(relayShards('orders')).toHaveLength(16);
    await stores.undispatched.claim({ messageId: 'm1' }, lease, at, meter);
    expect((await recordItem())?.lease).toEqual({ M: { owner: { S: 'a' }, until: { N: '1767323105678' } } });

    await mark('m1');
    const marked = await recordItem();
    expect([marked?.recoveryShard, marked?.lease]).toEqual([undefined, undefined]);
  });

  it('is in no shard when it has nothing to dispatch, or the table has no index', async () => {
    await commit('m1', 0);
    expect((await recordItem())?.recoveryShard).toBeUndefined();
    const { committer } = dynamoDBRelay({ client, tableName, strategy: 'scan' });
    await committer.commit(storedRecord('m2', numberedMessages(1)), meter);
    expect((await recordItem('OUTBOX#orders#m2'))?.recoveryShard).toBeUndefined();
  });

  it('holds its id where its key does not tell it, until it is dispatched', async () => {
    await commit('m1');
    expect((await recordItem())?.messageId).toBeUndefined();
    await commit(hashLike);
    expect((await recordItem(keyOfHashLike))?.messageId?.S).toBe(hashLike);
    await mark(hashLike);
    expect((await recordItem(keyOfHashLike))?.messageId).toBeUndefined();
  });
});

describe('a record that could not be dispatched', () => {
  it('says in its lease until when it is postponed', async () => {
    await commit('m1');
    await stores.undispatched.claim({ messageId: 'm1' }, lease, at, meter);
    const until = new Date(at.getTime() + 120_000);
    await stores.undispatched.postpone({ messageId: 'm1' }, { owner: 'a', until, postponed: true }, meter);
    expect((await recordItem())?.lease).toEqual({
      M: { owner: { S: 'a' }, until: { N: '1767323165678' }, postponed: { BOOL: true } },
    });
  });

  it('that is throttled when it is to be postponed fails as such', async () => {
    disableSdkRetries(client);
    faults.fail('UpdateItem', dynamoDBError('ThrottlingException'));
    await expect(stores.undispatched.postpone({ messageId: 'm1' }, lease, meter)).rejects.toMatchObject({
      code: 'Throttled',
    });
  });
});

describe('the search by the index', () => {
  it('takes a query for each shard, and reads nothing of the table', async () => {
    await commit('m1');
    faults.reset();
    expect(await found()).toEqual(['m1']);
    expect(faults.operations).toEqual(Array.from({ length: 16 }, () => 'Query'));
    expect(faults.requests.every(({ input }) => input.IndexName === 'Undispatched')).toBe(true);
  });

  it('goes on behind the first page of a shard', async () => {
    const ids = Array.from({ length: 20 }, (_, index) => `m${index}`);
    for (const id of ids) await commit(id);
    // DynamoDB ends a page at 1 MB, which takes thousands of keys: here at one.
    interceptCalls(client, 'call', ({ input, proceed }) => proceed({ ...input, Limit: 1 }));
    faults.reset();
    expect((await found()).toSorted()).toEqual(ids.toSorted());
    // One for each record, and at most two more for each shard.
    expect(faults.requests.length).toBeGreaterThan(20);
  });

  it('passes over a record with a hashed key that was dispatched since the index was read', async () => {
    await commit(hashLike);
    faults.plan('BatchGetItem', async (_input, proceed) => {
      await mark(hashLike);
      return await proceed();
    });
    expect(await found()).toEqual([]);
  });

  it('of a table without the index is refused', async () => {
    faults.fail('Query', dynamoDBError('ValidationException'));
    await expect(found()).rejects.toMatchObject({ code: 'RequestRejected' });
  });
});

describe('a claim', () => {
  it('whose answer gets lost is claimed by what the SDK sends again', async () => {
    await commit('m1');
    faults.reset();
    faults.loseAnswer('UpdateItem');
    expect(await stores.undispatched.claim({ messageId: 'm1' }, lease, at, meter)).toBe('claimed');
    expect(faults.operations).toEqual(['UpdateItem', 'UpdateItem']);
  });

  it('that is throttled fails as such', async () => {
    disableSdkRetries(client);
    await commit('m1');
    faults.fail('UpdateItem', dynamoDBError('ThrottlingException'));
    await expect(stores.undispatched.claim({ messageId: 'm1' }, lease, at, meter)).rejects.toMatchObject({
      code: 'Throttled',
    });
  });

  it('of a record that is damaged beyond its lease is given, so that its reading tells what is wrong', async () => {
    await commit('m1');
    await changeItem(client, tableName, ['OUTBOX#orders#m1', 'RECORD'], 'operations', {
      B: new Uint8Array([1]),
    });
    expect(await stores.undispatched.claim({ messageId: 'm1' }, lease, at, meter)).toBe('claimed');
    await expect(stores.outbox.find('m1', meter)).rejects.toMatchObject({ code: 'UnreadableItem' });
  });
});

import { createHash } from 'node:crypto';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { CapacityMeter } from '../../lib/dynamodb/capacity-meter.ts';
import { newLease } from '../../lib/kernel/lease.ts';
import type { FoundRecord } from '../../lib/relay/undispatched-records.ts';
import { at, storedRecord } from '../support/commits.ts';
import { dynamoDBClient } from '../support/engines.ts';
import { ClientFaults, disableSdkRetries, dynamoDBError } from '../support/faults.ts';
import { interceptCalls } from '../support/intercepted-calls.ts';
import { numberedMessages } from '../support/outgoing-messages.ts';
import { changeItem, itemsOf } from '../support/raw-items.ts';
import { createStreamedTable, dynamoDBRelay, type RelayStores } from '../support/relay-subject.ts';

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
  tableName = await createStreamedTable(client);
  stores = dynamoDBRelay({ client, tableName, strategy: 'stream' });
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

async function foundRecords(): Promise<FoundRecord[]> {
  const records: FoundRecord[] = [];
  for await (const record of stores.undispatched.find(later, meter)) records.push(record);
  return records;
}

const found = async () => (await foundRecords()).map(({ messageId }) => messageId);

describe('a record that is not dispatched', () => {
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

describe('a record on the list', () => {
  const listed = async () => [...(await itemsOf(client, tableName, 'UNSENT#orders')).keys()];

  it('is found there, stays while it is undispatched, and leaves it when it is unlisted', async () => {
    await commit('m1');
    const [record] = await foundRecords();
    expect(record).toMatchObject({ messageId: 'm1', storedAt: at, listedAt: (await listed())[0] });
    expect(await foundRecords()).toEqual([record]);
    await stores.undispatched.unlist(record as FoundRecord, meter);
    expect(await listed()).toEqual([]);
  });

  it('is listed once, however often its change is read', async () => {
    await commit('m1');
    await found();
    await found();
    expect(await listed()).toHaveLength(1);
  });

  it('leaves the list alone when it was found in another way', async () => {
    await commit('m1');
    await found();
    await stores.undispatched.unlist({ messageId: 'm1', storedAt: at }, meter);
    expect(await listed()).toHaveLength(1);
  });

  it('with a hashed key leaves it when it is dispatched by the time of the search', async () => {
    await commit(hashLike);
    expect(await found()).toEqual([hashLike]);
    await mark(hashLike);
    expect([await found(), await listed()]).toEqual([[], []]);
  });

  it('is found with the others of all pages, the oldest first', async () => {
    for (const id of ['m1', 'm2', 'm3']) await commit(id);
    await found();
    const listedAt = await listed();
    // DynamoDB ends a page at 1 MB: here at one.
    interceptCalls(client, 'call', ({ input, proceed }) => proceed({ ...input, Limit: 1 }));
    expect((await foundRecords()).map((record) => record.listedAt)).toEqual(listedAt);
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

import { createHash } from 'node:crypto';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { CapacityMeter } from '../../lib/dynamodb/capacity-meter.ts';
import { newLease } from '../../lib/kernel/lease.ts';
import type { RecordReference } from '../../lib/outbox/record.ts';
import { readRecord } from '../../lib/pipeline/dispatch.ts';
import type { FoundRecord } from '../../lib/relay/undispatched-records.ts';
import { MemoryStorage } from '../../lib/testing/memory/storage.ts';
import { at, storedRecord } from '../support/commits.ts';
import { commitToSaga, entryOf } from '../support/embedded-commits.ts';
import { dynamoDBClient } from '../support/engines.ts';
import { numberedMessages, outgoingMessage } from '../support/outgoing-messages.ts';
import {
  createStreamedTable,
  dynamoDBRelay,
  memoryRelay,
  type RelayStores,
} from '../support/relay-subject.ts';
import { cells, samples } from '../support/samples.ts';

const client = dynamoDBClient();

type OpenStores = () => Promise<(endpoint: string) => RelayStores>;

async function openMemory() {
  const storage = new MemoryStorage();
  return (endpoint: string) => memoryRelay(storage, endpoint);
}

const openTable = (strategy: 'stream' | 'scan') => async () => {
  const tableName = await createStreamedTable(client);
  return (endpoint: string) => dynamoDBRelay({ client, tableName, strategy, endpoint });
};

type Place = 'items of their own' | 'items of sagas';

const meter = new CapacityMeter();
const laterBy = (ms: number) => new Date(at.getTime() + ms);
const later = laterBy(1);
const leaseMs = 60_000;

const everyStore: readonly [string, Place, OpenStores][] = [
  ['in memory', 'items of their own', openMemory],
  ['in memory', 'items of sagas', openMemory],
  ['on DynamoDB, by the stream', 'items of their own', openTable('stream')],
  ['on DynamoDB, by a scan', 'items of their own', openTable('scan')],
  ['on DynamoDB, by the stream', 'items of sagas', openTable('stream')],
  ['on DynamoDB, by a scan', 'items of sagas', openTable('scan')],
];

let place: Place;
let stores: RelayStores;
let others: RelayStores;

const commit = async (messageId: string, count = 1, endpoint = 'orders') => {
  const of = endpoint === 'orders' ? stores : others;
  const operations = numberedMessages(count);
  if (place === 'items of sagas') await commitToSaga(of, { messageId, operations, endpoint });
  else await of.committer.commit(storedRecord(messageId, operations), meter);
};

/** The records that a search finds, in the order of their ids. */
async function foundRecords(storedBefore = later, { undispatched } = stores): Promise<FoundRecord[]> {
  const records: FoundRecord[] = [];
  for await (const record of undispatched.find(storedBefore, meter)) records.push(record);
  return records.toSorted((a, b) => (a.messageId < b.messageId ? -1 : 1));
}

const found = async (...terms: Parameters<typeof foundRecords>) =>
  (await foundRecords(...terms)).map(({ messageId }) => messageId);

const reference = async (messageId: string): Promise<RecordReference> =>
  place === 'items of sagas' ? await entryOf(stores, messageId) : { messageId };

const read = async (messageId: string) => await readRecord(stores, await reference(messageId), meter);
const isUndispatched = async (messageId: string) => (await read(messageId))?.dispatched === false;
const storeOf = (record: RecordReference) => (record.sagaItem ? stores.embedded : stores.outbox);

async function mark(messageId: string): Promise<void> {
  const record = await read(messageId);
  if (record) await storeOf(record).markDispatched(record, at, meter);
}

const claim = async (messageId: string, owner: string, now = at) =>
  await stores.undispatched.claim(await reference(messageId), newLease(owner, now, leaseMs), now, meter);

async function openStores(ofPlace: Place, open: OpenStores): Promise<void> {
  place = ofPlace;
  const storesOf = await open();
  [stores, others] = [storesOf('orders'), storesOf('orders2')];
}

describe.each(everyStore)('undispatched records %s in %s', (_name, ofPlace, open) => {
  beforeEach(() => openStores(ofPlace, open));

  describe('are found', () => {
    it('when they were stored before the time, and not at it', async () => {
      await commit('m1');
      expect(await found(at)).toEqual([]);
      expect(await found(later)).toEqual(['m1']);
    });

    it('with the time when they were stored', async () => {
      await commit('m1');
      expect(await foundRecords()).toMatchObject([{ ...(await reference('m1')), storedAt: at }]);
    });

    it('all of them, whatever segment they are in', async () => {
      const ids = Array.from({ length: samples(400) }, (_, index) => `message-${index}`).toSorted();
      for (const id of ids) await commit(id);
      expect(await found()).toEqual(ids);
    });

    it('not when they had nothing to dispatch, or are dispatched', async () => {
      await commit('m0', 0);
      await commit('m1');
      await mark('m1');
      expect(await found()).toEqual([]);
    });

    it('not when they are of another endpoint', async () => {
      await commit('m1');
      await commit('m2', 1, 'orders2');
      expect(await found()).toEqual(['m1']);
      expect(await found(later, others)).toEqual(['m2']);
    });

    it.each([
      ['long', 'x'.repeat(2048)],
      ['like a hash', createHash('sha256').update('m1').digest('hex')],
      ['full of separators', 'a#b#RECORD'],
    ])('by an id that is %s', async (_kind, id) => {
      await commit(id);
      expect(await found()).toEqual([id]);
      expect(await claim(id, 'a')).toBe('claimed');
      await mark(id);
      // What is on a list is found until its claim tells that it is sent.
      for (const record of await foundRecords()) {
        const lease = newLease('b', at, leaseMs);
        expect(await stores.undispatched.claim(record, lease, at, meter)).toBe('settled');
      }
    });

    it('when their operations are in chunks', async () => {
      const large = outgoingMessage({ body: 'x'.repeat(400_000) });
      if (place === 'items of sagas') await commitToSaga(stores, { messageId: 'm1', operations: [large] });
      else await stores.committer.commit(storedRecord('m1', [large]), meter);
      const [record, ...more] = await foundRecords();
      expect([record?.messageId, more]).toEqual(['m1', []]);
      expect((record && (await readRecord(stores, record, meter)))?.operations).toEqual([large]);
    });

    it('no more once the signal is aborted', async () => {
      for (const id of ['m1', 'm2']) await commit(id);
      const controller = new AbortController();
      controller.abort();
      const ids: string[] = [];
      for await (const { messageId } of stores.undispatched.find(later, meter, controller.signal))
        ids.push(messageId);
      expect(ids).toEqual([]);
    });

    it('also while they are claimed, as the claim may be that of a dead run', async () => {
      await commit('m1');
      await claim('m1', 'a');
      expect(await found()).toEqual(['m1']);
    });
  });
});

/** What a scan has found is claimed as what a query has. */
const claimedStores = cells(everyStore, ([name]) => !name.includes('scan'));

describe.each(claimedStores)('undispatched records %s in %s:', (_name, ofPlace, open) => {
  beforeEach(() => openStores(ofPlace, open));

  describe('a claim', () => {
    it('keeps others out until its lease is over', async () => {
      await commit('m1');
      expect(await claim('m1', 'a')).toBe('claimed');
      expect(await claim('m1', 'b', laterBy(leaseMs))).toBe('held');
      expect(await claim('m1', 'b', laterBy(leaseMs + 1))).toBe('claimed');
      expect(await claim('m1', 'a', laterBy(leaseMs + 1))).toBe('held');
    });

    it('that is repeated, as the answer to it got lost, is still a claim', async () => {
      await commit('m1');
      expect([await claim('m1', 'a'), await claim('m1', 'a')]).toEqual(['claimed', 'claimed']);
    });

    it('leaves the record as it is, and is told of', async () => {
      await commit('m1', 3);
      const before = await read('m1');
      expect(before).not.toHaveProperty('lease');
      await claim('m1', 'a');
      expect(await read('m1')).toEqual({
        ...before,
        lease: { until: laterBy(leaseMs) },
      });
    });

    it('is not given on what is dispatched, or gone', async () => {
      await commit('m1');
      await mark('m1');
      expect([await claim('m1', 'a'), await claim('unknown', 'a')]).toEqual(['settled', 'settled']);
      expect(await read('unknown')).toBeUndefined();
    });

    it('by twenty at once is given to one', async () => {
      await commit('m1');
      const outcomes = await Promise.all(
        Array.from({ length: 20 }, (_, index) => claim('m1', `run-${index}`)),
      );
      expect(outcomes.toSorted()).toEqual(['claimed', ...Array.from({ length: 19 }, () => 'held')]);
    });
  });

  describe('a postponed record', () => {
    const untilMs = 10 * leaseMs;
    const postpone = async (owner: string) =>
      await stores.undispatched.postpone(
        await reference('m1'),
        { owner, until: laterBy(untilMs), postponed: true },
        meter,
      );
    const claimAnyway = async (owner: string, now = at) =>
      await stores.undispatched.claim(await reference('m1'), newLease(owner, now, leaseMs), now, meter, {
        includePostponed: true,
      });

    beforeEach(async () => {
      await commit('m1');
      await claim('m1', 'a');
    });

    it('is kept until its time has come', async () => {
      await postpone('a');
      expect(await claim('m1', 'b', laterBy(untilMs))).toBe('postponed');
      expect(await claim('m1', 'b', laterBy(untilMs + 1))).toBe('claimed');
      expect(await claim('m1', 'c', laterBy(untilMs + 1))).toBe('held');
    });

    it('is given at once to one who asks for such', async () => {
      await postpone('a');
      expect(await claimAnyway('b')).toBe('claimed');
      expect([await claimAnyway('c'), await claim('m1', 'c')]).toEqual(['held', 'held']);
    });

    it('is still found, and still as it was committed', async () => {
      const before = await read('m1');
      await postpone('a');
      expect(await found()).toEqual(['m1']);
      const lease = { until: laterBy(untilMs), postponed: true };
      expect(await read('m1')).toEqual({ ...before, lease });
    });

    it('is not one that another has claimed by now', async () => {
      await postpone('b');
      expect(await claim('m1', 'b')).toBe('held');
      expect(await claimAnyway('b')).toBe('held');
    });

    it('keeps what was sent of it, beside what others have kept', async () => {
      await commit('m2', 3);
      await claim('m2', 'a');
      const record = await read('m2');
      if (record) await storeOf(record).saveProgress(record, Uint8Array.of(0b001), meter);
      const lease = { owner: 'a', until: laterBy(untilMs), postponed: true } as const;
      await stores.undispatched.postpone(await reference('m2'), lease, meter, Uint8Array.of(0b100));
      expect(await read('m2')).toMatchObject({
        sent: Uint8Array.of(0b101),
        lease: { until: laterBy(untilMs), postponed: true },
      });
    });

    it('keeps what was sent of it also when somebody else has it by now, with their lease', async () => {
      const lease = { owner: 'late', until: laterBy(untilMs), postponed: true } as const;
      await stores.undispatched.postpone(await reference('m1'), lease, meter, Uint8Array.of(1));
      expect(await read('m1')).toMatchObject({
        sent: Uint8Array.of(1),
        lease: { until: laterBy(leaseMs) },
      });
    });

    it('is not one that is dispatched, or gone', async () => {
      await mark('m1');
      await postpone('a');
      expect(await isUndispatched('m1')).toBe(false);
      const unknown = await reference('unknown');
      await stores.undispatched.postpone(unknown, { owner: 'a', until: later, postponed: true }, meter);
      expect(await read('unknown')).toBeUndefined();
      expect(await claimAnyway('b')).toBe('settled');
    });
  });

  describe('a release', () => {
    const release = async (owner: string) =>
      await stores.undispatched.release(await reference('m1'), newLease(owner, at, leaseMs), meter);

    it('lets others in at once', async () => {
      await commit('m1');
      await claim('m1', 'a');
      await release('a');
      expect(await claim('m1', 'b')).toBe('claimed');
    });

    it('does nothing to the lease of another', async () => {
      await commit('m1');
      await claim('m1', 'a');
      await release('b');
      expect(await claim('m1', 'b')).toBe('held');
    });

    it('does nothing when the record is dispatched, or gone', async () => {
      await release('a');
      await commit('m1');
      await claim('m1', 'a');
      await mark('m1');
      await release('a');
      expect(await isUndispatched('m1')).toBe(false);
    });
  });
});

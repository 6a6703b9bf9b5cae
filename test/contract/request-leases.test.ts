import { beforeEach, describe, expect, it } from '@jest/globals';
import { CapacityMeter } from '../../lib/dynamodb/capacity-meter.ts';
import { newLease } from '../../lib/kernel/lease.ts';
import { fingerprintOf } from '../../lib/messages/fingerprint.ts';
import { outboxWrite } from '../../lib/outbox/record.ts';
import { MemoryStorage } from '../../lib/testing/memory/storage.ts';
import { commitOf, fingerprint } from '../support/commits.ts';
import { dynamoDBClient } from '../support/engines.ts';
import { codeOf } from '../support/error-of.ts';
import { MovingClock } from '../support/moving-clock.ts';
import { numberedMessages } from '../support/outgoing-messages.ts';
import { allItems } from '../support/raw-items.ts';
import {
  createStreamedTable,
  dynamoDBRelay,
  memoryRelay,
  type RelayStores,
} from '../support/relay-subject.ts';

const client = dynamoDBClient();
const meter = new CapacityMeter();
const response = { json: '{"statusCode":201}' };
const leaseMs = 10_000;

describe.each([
  ['in memory', async (clock: MovingClock) => memoryRelay(new MemoryStorage(), 'orders', clock)],
  [
    'on DynamoDB',
    async (clock: MovingClock) =>
      dynamoDBRelay({ client, tableName: await createStreamedTable(client), strategy: 'scan', clock }),
  ],
] as const)('leases on requests %s', (_name, open) => {
  let clock: MovingClock;
  let stores: RelayStores;

  beforeEach(async () => {
    clock = new MovingClock();
    stores = await open(clock);
  });

  const leaseOf = (owner: string) => newLease(owner, clock.now(), leaseMs);

  const acquire = (owner: string, print = fingerprint) =>
    stores.requestLeases.tryAcquire('r1', print, leaseOf(owner), meter);

  const outcomeOf = async (owner: string) => (await acquire(owner)).outcome;

  /** @param leaseOwner undefined for a session that is not exclusive */
  const commit = (leaseOwner?: string, operations = numberedMessages(1)) =>
    stores.committer.commit(
      commitOf({
        outbox: outboxWrite({
          endpoint: 'orders',
          messageId: 'r1',
          operations,
          storedAt: clock.now(),
          fingerprint,
          response,
          session: { leaseOwner },
        }),
      }),
      meter,
    );

  const refusalOf = (leaseOwner?: string) => codeOf(commit(leaseOwner));

  it('are for one owner, who may ask again; the others are told until when', async () => {
    expect(await outcomeOf('a')).toBe('acquired');
    expect(await outcomeOf('a')).toBe('acquired');
    const refused = await acquire('b');
    expect(refused).toMatchObject({ outcome: 'held', until: leaseOf('a').until });
    expect(refused.outcome === 'held' && Buffer.from(refused.fingerprint ?? [])).toEqual(fingerprint);
  });

  it('end by themselves, after their time and not before', async () => {
    await acquire('a');
    clock.pass(leaseMs);
    expect(await outcomeOf('b')).toBe('held');
    clock.pass(1);
    expect(await outcomeOf('b')).toBe('acquired');
    expect(await outcomeOf('a')).toBe('held');
  });

  it('end when their owner releases them, and nobody else', async () => {
    await acquire('a');
    await stores.requestLeases.release('r1', leaseOf('b'), meter);
    expect(await outcomeOf('b')).toBe('held');
    await stores.requestLeases.release('r1', leaseOf('a'), meter);
    expect(await outcomeOf('b')).toBe('acquired');
  });

  it('are no records: neither a dedup check nor a relay finds one', async () => {
    await acquire('a');
    expect(await stores.outbox.find('r1', meter)).toBeUndefined();
    const found: string[] = [];
    clock.pass(leaseMs * 1000);
    for await (const { messageId } of stores.undispatched.find(clock.now(), meter)) found.push(messageId);
    expect(found).toEqual([]);
    const claimed = stores.undispatched.claim({ messageId: 'r1' }, leaseOf('relay'), clock.now(), meter);
    expect(await claimed).toBe('settled');
    expect(await stores.outbox.find('r1', meter)).toBeUndefined();
  });

  it('are given back by the commit of their owner, whose record everybody gets then', async () => {
    await acquire('a');
    await commit('a');
    for (const owner of ['a', 'b']) {
      expect(await acquire(owner)).toMatchObject({
        outcome: 'stored',
        record: { dispatched: false, response, operations: [{ id: expect.any(String) }] },
      });
    }
    await stores.requestLeases.release('r1', leaseOf('a'), meter);
    const record = await stores.outbox.find('r1', meter);
    expect(record?.lease).toBeUndefined();
    if (record) await stores.outbox.markDispatched(record, clock.now(), meter);
    expect(await acquire('b')).toMatchObject({ outcome: 'stored', record: { dispatched: true, response } });
  });

  it('keep the record of one whose commit is refused from being another one', async () => {
    await commit();
    expect(await refusalOf()).toBe('DuplicateMessage');
    expect(await refusalOf('a')).toBe('DuplicateMessage');
  });

  it('that were taken over let nobody but their owner commit', async () => {
    await acquire('a');
    clock.pass(leaseMs + 1);
    await acquire('b');
    expect(await refusalOf('a')).toBe('DuplicateMessage');
    await commit('b');
  });

  it('that were released, or never taken, let their owner commit no more', async () => {
    expect(await refusalOf('a')).toBe('DuplicateMessage');
    await acquire('a');
    await stores.requestLeases.release('r1', leaseOf('a'), meter);
    await acquire('b');
    expect(await refusalOf('a')).toBe('DuplicateMessage');
  });

  it('do not keep one that is not exclusive from its commit, and then their owner from his', async () => {
    await acquire('a');
    await commit();
    expect(await refusalOf('a')).toBe('DuplicateMessage');
    expect(await acquire('a')).toMatchObject({ outcome: 'stored' });
  });

  it('tell another request under the same key', async () => {
    const other = fingerprintOf({ type: 'OrderPlaced', body: { orderId: '43' } });
    await acquire('a', other);
    const refused = await acquire('b');
    expect(refused.outcome === 'held' && Buffer.from(refused.fingerprint ?? [])).toEqual(other);
  });
});

it('a lease on DynamoDB expires by the time to live, an hour after its end', async () => {
  const tableName = await createStreamedTable(client);
  const clock = new MovingClock();
  const { requestLeases } = dynamoDBRelay({ client, tableName, strategy: 'stream', clock });
  await requestLeases.tryAcquire('r1', fingerprint, newLease('a', clock.now(), leaseMs), meter);
  const [item] = await allItems(client, tableName);
  const until = clock.now().getTime() + leaseMs;
  expect(item?.lease?.M).toEqual({ owner: { S: 'a' }, until: { N: `${until}` } });
  expect(item?.ExpiresAt?.N).toBe(`${Math.ceil(until / 1000) + 3600}`);
  expect(Object.keys(item ?? {}).toSorted()).toEqual([
    'ExpiresAt',
    'PK',
    'SK',
    'hash',
    'lease',
    'schemaVersion',
  ]);
});

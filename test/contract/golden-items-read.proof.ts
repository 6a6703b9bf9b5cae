import { afterEach, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { outboxRecordKey, sagaKey } from '../../lib/dynamodb/keys.ts';
import { pendingMessageId } from '../../lib/outbox/embedded/embedded-items.ts';
import { dynamoDBPorts } from '../support/dynamodb-ports.ts';
import { dynamoDBClient } from '../support/engines.ts';
import { fakeDate } from '../support/fake-date.ts';
import { allItems, itemsOf } from '../support/raw-items.ts';
import { byText } from './golden-items/comparable-requests.ts';
import { type Delivery, goldenEndpoint, placedState, type SagaName } from './golden-items/endpoint.ts';
import { goldenTable, idOf, readAt, readGolden } from './golden-items/golden.ts';
import {
  type GoldenMessage,
  LEASE_MS,
  longId,
  messages,
  relayed,
  responses,
} from './golden-items/messages.ts';

const client = dynamoDBClient();
const { dispatches } = readGolden();
const MINUTE_MS = 60_000;
const DEDUPLICATION_SECONDS = 604_800;

let tableName: string;
let endpoint: ReturnType<typeof goldenEndpoint>;

/** With the golden items: one for all tests that leave each other's items alone, or one for each. */
function onTable(isOwn = false): void {
  (isOwn ? beforeEach : beforeAll)(async () => {
    tableName = await goldenTable(client);
  });
  beforeEach(() => {
    fakeDate(readAt, { moves: true });
    endpoint = goldenEndpoint(client, tableName);
  });
}

afterEach(() => {
  endpoint.destroy();
  jest.useRealTimers();
});

const sent = messages.filter(({ refused }) => !refused);
const left = messages.filter(({ refused }) => refused);
const titled = (list: readonly GoldenMessage[]) =>
  list.map((message): [string, GoldenMessage] => [idOf(message.to).slice(0, 80), message]);
const requestsOf = (...list: readonly GoldenMessage[]) =>
  list.flatMap(({ to }) => dispatches[idOf(to)] ?? []).toSorted(byText);
const isOf = (name: string) => (message: GoldenMessage) => message.to[0] === name;
const laterThanReading = (ms: number) => fakeDate(readAt.getTime() + ms, { moves: true });

/** All that is left of what messages left: a record without operations, or nothing in the item of the saga. */
async function expectSettled(...settled: readonly GoldenMessage[]): Promise<void> {
  const items = Map.groupBy(await allItems(client, tableName), ({ PK }) => PK?.S);
  for (const {
    to: [name, id = ''],
    delivery: { body, sagaName = 'OrderSaga' },
  } of settled) {
    const record = items.get(outboxRecordKey(name, id).partition);
    if (record === undefined) {
      const { orderId = '' } = body as { orderId?: string };
      const saga = items.get(sagaKey({ name: sagaName, id: orderId }).partition) ?? [];
      const pending = saga.flatMap((item) => Object.values(item.pending?.M ?? {}).map(pendingMessageId));
      expect(pending).not.toContain(id);
      continue;
    }
    expect(record).toMatchObject([{ dispatched: { BOOL: true }, schemaVersion: { N: '1' } }]);
    const [item = {}] = record;
    const expiresFrom = Math.floor(Date.now() / 1000) + DEDUPLICATION_SECONDS;
    expect(Number(item.ExpiresAt?.N)).toBeGreaterThan(expiresFrom - 60);
    for (const gone of ['operations', 'encoding', 'messageId', 'lease', 'sent'])
      expect(item).not.toHaveProperty(gone);
  }
}

async function sagaItem(id: string, name = 'OrderSaga') {
  const { partition, sort } = sagaKey({ name, id });
  return (await itemsOf(client, tableName, partition)).get(sort) ?? {};
}

describe('a message that was stored', () => {
  onTable();

  it('and sent is known, and left as it is', async () => {
    const before = await allItems(client, tableName);
    for (const {
      to: [name, id = ''],
      delivery,
    } of sent)
      expect(await endpoint.deliver([name, id], delivery)).toMatchObject({ returned: false });
    expect([endpoint.handled, endpoint.takeRequests()]).toEqual([[], []]);
    expect(await allItems(client, tableName)).toEqual(before);
  });

  it('has left what is to be sent, unless it is of those that are sent', () => {
    expect(Object.keys(dispatches)).toEqual([...left, ...relayed].map(({ to }) => idOf(to)));
    expect(Object.keys(dispatches).filter((id) => dispatches[id]?.length === 0)).toEqual([]);
  });

  it.each(titled(left))(
    '%s: has its messages sent as they were stored, and is marked',
    async (_id, message) => {
      const { to, delivery } = message;
      expect(await endpoint.deliver(to, delivery)).toMatchObject({ returned: false });
      expect(endpoint.takeRequests()).toEqual(requestsOf(message));
      await expectSettled(message);
      await endpoint.deliver(to, delivery);
      expect([endpoint.handled, endpoint.takeRequests()]).toEqual([[], []]);
    },
  );
});

describe('the relay', () => {
  onTable(true);

  it.each(['stream', 'scan'] as const)('finds them by the %s, and sends what they hold', async (strategy) => {
    for (const name of ['orders', 'embedded']) {
      await endpoint.relay(name, {
        strategy,
        ...(strategy === 'scan' && { maxReadUnitsPerSecond: 1_000_000, segments: 2 }),
      });
      const own = left.filter(isOf(name));
      expect(endpoint.takeRequests()).toEqual(requestsOf(...own));
      await expectSettled(...own);
    }
  });

  it.each([
    ['relaying', LEASE_MS],
    ['postponing', 10 * MINUTE_MS],
  ])('of %s leaves them alone until their leases are over', async (name, leaseMs) => {
    const own = relayed.filter(isOf(name));
    await endpoint.relay(name, { strategy: 'stream' });
    expect(endpoint.takeRequests()).toEqual([]);
    laterThanReading(leaseMs + MINUTE_MS);
    await endpoint.relay(name, { strategy: 'stream' });
    expect(endpoint.takeRequests()).toEqual(requestsOf(...own));
    await expectSettled(...own);
  });

  it('takes postponed ones at once if it is told to', async () => {
    await endpoint.relay('postponing', { strategy: 'stream', includePostponed: true });
    expect(endpoint.takeRequests()).toEqual(requestsOf(...relayed.filter(isOf('postponing'))));
  });
});

describe('a session', () => {
  onTable();

  const run = (key: string) => endpoint.request('api', key, () => ({ ran: true }));

  it.each(['nothing', 'json', 'compressed'] as const)(
    'returns the response that is stored: %s',
    async (key) => {
      expect(await run(key)).toEqual(responses[key]);
      expect([endpoint.handled, endpoint.takeRequests()]).toEqual([[], []]);
    },
  );

  it('asks for the response that is in a bucket by its key', async () => {
    await expect(run('claimCheck')).rejects.toMatchObject({ code: 'ClaimCheckNotFound' });
    const [asked] = endpoint.takeRequests();
    const Key = expect.stringMatching(/^claims\/api\//);
    expect(asked).toMatchObject({ operation: 'GetObject', Bucket: 'bodies', Key });
  });

  it('sends what it left, and returns its response', async () => {
    expect(await run('left')).toEqual(responses.left);
    expect(endpoint.takeRequests()).toMatchObject([{ operation: 'SendMessageBatch' }]);
    expect(endpoint.handled).toEqual([]);
  });

  it('waits for the one that has the lease, until it is over', async () => {
    await expect(run('leased')).rejects.toMatchObject({ code: 'RequestInProgress' });
    laterThanReading(LEASE_MS);
    expect(await run('leased')).toEqual({ ran: true });
  });
});

describe('a saga that was stored', () => {
  onTable();

  const placed = { ...placedState, items: [] as string[] };
  const added = (
    orderId: string,
    sagaName: SagaName = 'OrderSaga',
    more: Partial<Delivery> = {},
  ): Delivery => ({
    type: 'ItemAdded',
    sagaName,
    body: { orderId },
    ...more,
  });
  const orders: [SagaName, string, object][] = [
    ['OrderSaga', 'new', placed],
    ['OrderSaga', 'updated', { ...placed, items: ['ItemAdded OrderSaga updated'] }],
    ['OrderSaga', 'released', placed],
    ['OrderSaga', longId, placed],
    ['MigratedSaga', 'new', placed],
    ['CompressedSaga', 'new', { items: [], text: 'abc'.repeat(1_000) }],
  ];

  it.each(orders)('goes on: %s %s', async (sagaName, orderId, state) => {
    const before = await sagaItem(orderId, sagaName);
    expect(
      await endpoint.deliver(['orders', `now ${sagaName} ${orderId}`], added(orderId, sagaName)),
    ).toMatchObject({
      returned: false,
    });
    expect(endpoint.states).toEqual([state]);
    const { version: _1, commitId: _2, updatedAt: _3, state: _4, ...kept } = before;
    expect(await sagaItem(orderId, sagaName)).toMatchObject({
      ...kept,
      version: { N: String(Number(before.version?.N) + 1) },
    });
  });

  it.each<[SagaName, string, readonly string[]]>([
    ['EmbeddedSaga', 'sent', ['01234567-0000-4000-8000-000000000000']],
    [
      'EmbeddedSaga',
      'pending',
      ['ItemAdded EmbeddedSaga pending compressed', '01234567-89ab-4cde-8f01-23456789abcd'],
    ],
    ['EmbeddedSaga', 'overflowed', ['ItemAdded EmbeddedSaga overflowed queue']],
    ['BothSaga', 'new', ['ItemAdded BothSaga new queue']],
    ['BothSaga', 'from-records', ['ItemAdded BothSaga from-records']],
    ['BothSaga', 'from-embedded', ['ItemAdded BothSaga from-embedded']],
  ])('goes on: %s %s', async (sagaName, orderId, items) => {
    const { pending, ...before } = await sagaItem(orderId, sagaName);
    await endpoint.deliver(['embedded', `now ${sagaName} ${orderId}`], added(orderId, sagaName));
    expect(endpoint.states).toEqual([{ ...placed, items }]);
    expect(endpoint.takeRequests()).toEqual([]);
    const after = await sagaItem(orderId, sagaName);
    expect(after.pending).toEqual(pending);
    for (const name of ['schemaVersion', 'createdAt', 'endpoint', 'changeover', 'overflowed', 'timeouts'])
      expect(after[name]).toEqual(before[name]);
  });

  it.each<[SagaName, string]>([
    ['OrderSaga', 'completed'],
    ['EmbeddedSaga', 'ended'],
    ['EmbeddedSaga', 'ended-pending'],
    ['BothSaga', 'ended'],
  ])('and has ended is not found, and starts anew: %s %s', async (sagaName, orderId) => {
    const name = sagaName === 'OrderSaga' ? 'orders' : 'embedded';
    await endpoint.deliver([name, `now ${sagaName} ${orderId}`], added(orderId, sagaName));
    expect(endpoint.handled).toEqual([]);
    await endpoint.deliver([name, `anew ${sagaName} ${orderId}`], {
      type: 'OrderPlaced',
      sagaName,
      body: { orderId },
    });
    expect(endpoint.states).toEqual([placed]);
    const item = await sagaItem(orderId, sagaName);
    expect(item.state?.M).toBeDefined();
    expect(item).not.toHaveProperty('ExpiresAt');
  });

  it('gives what was appended to it', async () => {
    const delivery = { type: 'ItemsTold', sagaName: 'AppendedSaga', body: { orderId: 'new' } } as const;
    await endpoint.deliver(['orders', 'now'], delivery);
    const values = ['ItemTold AppendedSaga new', `told ${longId}`];
    expect(endpoint.collected).toEqual([{ values: expect.arrayContaining(values), hasMore: false }]);
    const left = await itemsOf(client, tableName, 'SAGA#AppendedSaga#new');
    expect([...left.keys()]).toEqual(['SAGA']);
  });

  it('is none where there is only a lock', async () => {
    const { sagas } = dynamoDBPorts({ client, sagaTable: tableName });
    expect(await sagas.load({ name: 'OrderSaga', id: 'lock' })).toBeUndefined();
  });

  it.each([
    ['leased', 'ItemAdded'],
    ['lock', 'OrderPlaced'],
  ])('keeps others out while it is leased: %s', async (orderId, type) => {
    const options = {
      locking: { mode: 'pessimistic', leaseAcquisitionTimeout: { milliseconds: 300 } },
    } as const;
    const delivery = { type, body: { orderId }, options };
    expect(await endpoint.deliver(['orders', `now ${orderId}`], delivery)).toMatchObject({ returned: true });
    expect(endpoint.handled).toEqual([]);
    laterThanReading(LEASE_MS);
    expect(await endpoint.deliver(['orders', `now ${orderId}`], delivery)).toMatchObject({ returned: false });
    expect(endpoint.handled).toEqual([`now ${orderId}`]);
    expect(await sagaItem(orderId)).not.toHaveProperty('lease');
  });
});

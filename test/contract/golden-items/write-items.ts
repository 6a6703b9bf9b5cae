import type { AttributeValue, DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { CapacityMeter } from '../../../lib/dynamodb/capacity-meter.ts';
import { tableDefaults } from '../../../lib/dynamodb/table-defaults.ts';
import { newLease } from '../../../lib/kernel/lease.ts';
import { newBatchers } from '../../../lib/outbox/batchers.dynamodb.ts';
import { Inbox } from '../../../lib/outbox/embedded/inbox.ts';
import { unsentItem } from '../../../lib/relay/unsent-items.ts';
import { WatchStore } from '../../../lib/relay/watch-store.dynamodb.ts';
import { fakeDate } from '../../support/fake-date.ts';
import { MovingClock } from '../../support/moving-clock.ts';
import { allItems, type Item, putItem } from '../../support/raw-items.ts';
import { dynamoDBRelay } from '../../support/relay-subject.ts';
import type { goldenEndpoint } from './endpoint.ts';
import { readAt, writtenAt } from './golden.ts';
import { type GoldenMessage, LEASE_MS, messages, pessimistic, relayed, responses } from './messages.ts';

const FIXED_ID = '01234567-89ab-4cde-8f01-23456789abcd';
const FIXED_SALT = Buffer.from('0123456789abcdef', 'hex');

type Endpoint = ReturnType<typeof goldenEndpoint>;

/** Stores every kind of item that the engine has. */
export async function writeItems(
  client: DynamoDBClient,
  tableName: string,
  endpoint: Endpoint,
): Promise<Item[]> {
  fakeDate(writtenAt);
  for (const message of [...messages, ...relayed]) await handle(endpoint, message);
  for (const [key, response] of Object.entries(responses)) {
    if (key === 'left') endpoint.refuse(/Send/);
    await endpoint.request('api', key, () => response).catch(() => undefined);
    endpoint.refuse();
  }
  await whileAtWork(client, tableName, async (atWork) => {
    await endpoint.request('api', 'leased', atWork).catch(() => undefined);
  });
  for (const [orderId, type] of [
    ['leased', 'ItemAdded'],
    ['lock', 'OrderPlaced'],
  ] as const) {
    const options = { locking: pessimistic };
    await whileAtWork(client, tableName, async (atWork) => {
      await endpoint.deliver(['orders', `at-work-${orderId}`], { type, body: { orderId }, options, atWork });
    });
  }
  fakeDate(readAt);
  await claim(client, tableName);
  endpoint.refuse(/Publish/);
  await endpoint.relay('postponing', { strategy: 'stream' }).catch(() => undefined);
  endpoint.refuse();
  endpoint.takeRequests();
  await watch(client, tableName);
  const items = (await allItems(client, tableName)).filter(
    ({ PK, SK }) => !isListed(PK) || SK?.S === 'WATCHER',
  );
  return withFixedIds([...items.map(withFixedSalt), ...listed]);
}

/** Of what is left above the keys of entries are drawn: here they are fixed. */
const listed = [
  { partition: 'OUTBOX#orders#m1', entryKey: undefined },
  { partition: 'SAGA#OrderSaga#42', entryKey: 'AQIDBAUGBwgJ' },
].map((place) =>
  unsentItem(tableDefaults, { ...place, endpoint: 'orders', messageId: 'm1', storedAt: writtenAt }),
);

const isListed = (key: AttributeValue | undefined) => key?.S?.startsWith('UNSENT#') === true;

async function handle(endpoint: Endpoint, { to, delivery, refused }: GoldenMessage): Promise<void> {
  if (refused) endpoint.refuse(refused);
  const { returned } = await endpoint.deliver(to, delivery);
  if (returned !== (refused !== undefined)) throw new Error(`${to.slice(0, 2).join(' ')}: ${returned}`);
  endpoint.refuse();
}

/** As a run of a relay whose watcher missed something. */
async function watch(client: DynamoDBClient, tableName: string): Promise<void> {
  const { reads } = newBatchers(client, new MovingClock());
  const table = { ...tableDefaults, tableName };
  await new WatchStore({ client, table, endpoint: 'orders', reads }).write(
    {
      stream: 'arn:aws:dynamodb:eu-west-1:111111111111:table/outbox/stream/2026-01-01T00:00:00.000',
      mapping: FIXED_ID,
      watchedAt: readAt,
      scanDue: { since: readAt, reason: 'nobody saw the stream being read for 25 hours' },
    },
    new CapacityMeter(),
  );
}

/** As a relay that is at work. */
async function claim(client: DynamoDBClient, tableName: string): Promise<void> {
  const { undispatched } = dynamoDBRelay({ client, tableName, strategy: 'stream', endpoint: 'relaying' });
  const lease = newLease(FIXED_ID, readAt, LEASE_MS);
  const meter = new CapacityMeter();
  let claimed = 0;
  for await (const left of undispatched.find(readAt, meter)) {
    const outcome = await undispatched.claim(left, lease, readAt, meter);
    if (outcome !== 'claimed') throw new Error(`It is ${outcome}`);
    claimed += 1;
  }
  if (claimed !== 2) throw new Error(`A record and an entry are left, and ${claimed} are claimed`);
}

/** The handler dies, and its lease stays: nobody gives it back. */
async function whileAtWork(
  client: DynamoDBClient,
  tableName: string,
  run: (atWork: () => Promise<never>) => Promise<void>,
): Promise<void> {
  let items: Item[] = [];
  await run(async () => {
    items = await allItems(client, tableName);
    throw new Error('The function dies');
  });
  for (const item of items) if ('lease' in item) await putItem(client, tableName, item);
}

const handled = [...messages, ...relayed].flatMap(({ to: [, ...ids], delivery: { type } }) =>
  ids.map((id) => ({ id, type })),
);

/** With one salt in place of that which is drawn for the item, and what is known of its messages under it. */
function withFixedSalt(item: Item): Item {
  if (item.inbox?.B === undefined) return item;
  const drawn = new Inbox(item.inbox.B);
  const known = handled.flatMap(({ id, type }) => {
    const entry = drawn.find(id);
    return entry ? [{ id, type, entry }] : [];
  });
  const placeOf = ({ id }: { readonly id: string }) =>
    Buffer.from(drawn.bytes).indexOf(drawn.keyOf(id), 'base64url');
  known.sort((one, other) => placeOf(one) - placeOf(other));
  if (known.length !== drawn.size) throw new Error(`${item.PK?.S} knows messages that nobody sent`);
  const ofNone = new Inbox(FIXED_SALT);
  const inbox = known.reduce(
    (all, { id, type, entry: { hasRecord, expiresAt } }) => all.with([{ id, type, hasRecord }], expiresAt),
    ofNone,
  );
  const pending = known.flatMap(({ id }) => {
    const entry = item.pending?.M?.[drawn.keyOf(id)];
    return entry ? [[ofNone.keyOf(id), entry] as const] : [];
  });
  return {
    ...item,
    inbox: { B: inbox.bytes },
    ...(item.pending && { pending: { M: Object.fromEntries(pending) } }),
  };
}

/** With one id in place of those that are drawn: of commits, and of whoever has a lease. */
function withFixedIds<Value>(value: Value): Value {
  if (Array.isArray(value)) return value.map(withFixedIds) as Value;
  if (typeof value !== 'object' || value === null || value instanceof Uint8Array) return value;
  const entries = Object.entries(value as Record<string, AttributeValue>).map(([name, part]) => {
    const isDrawn = name === 'commitId' || name === 'owner';
    return [name, isDrawn ? fixed(part) : withFixedIds(part)];
  });
  return Object.fromEntries(entries) as Value;
}

/** What is no UUID stays, so that it differs from the golden one. */
function fixed(attribute: AttributeValue): AttributeValue {
  const { S: string, B: bytes } = attribute;
  if (string && /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(string)) return { S: FIXED_ID };
  if (bytes?.byteLength === 8)
    return { B: new Uint8Array(Buffer.from(FIXED_ID.replaceAll('-', '').slice(-16), 'hex')) };
  return attribute;
}

import type { AttributeValue, DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { newLease } from '../../../lib/core/saga/lease.ts';
import { CapacityMeter } from '../../../lib/core/storage/capacity-meter.ts';
import { fakeDate } from '../../support/fake-date.ts';
import { allItems, type Item, putItem } from '../../support/raw-items.ts';
import { dynamoDBRelay } from '../../support/relay-subject.ts';
import type { goldenEndpoint } from './endpoint.ts';
import { readAt, writtenAt } from './golden.ts';
import { type GoldenMessage, LEASE_MS, messages, pessimistic, relayed, responses } from './messages.ts';

const FIXED_ID = '01234567-89ab-4cde-8f01-23456789abcd';

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
  await endpoint.relay('postponing', { strategy: 'index' }).catch(() => undefined);
  endpoint.refuse();
  endpoint.takeRequests();
  return withFixedIds(await allItems(client, tableName));
}

async function handle(endpoint: Endpoint, { to, delivery, refused }: GoldenMessage): Promise<void> {
  if (refused) endpoint.refuse(refused);
  const { returned } = await endpoint.deliver(to, delivery);
  if (returned !== (refused !== undefined)) throw new Error(`${to.slice(0, 2).join(' ')}: ${returned}`);
  endpoint.refuse();
}

/** As a relay that is at work. */
async function claim(client: DynamoDBClient, tableName: string): Promise<void> {
  const { undispatched } = dynamoDBRelay({ client, tableName, strategy: 'index', endpoint: 'relaying' });
  const lease = newLease(FIXED_ID, readAt, LEASE_MS);
  const [record, entry] = relayed.map(({ to: [, messageId = ''] }) => ({ messageId }));
  for (const left of [record, { ...entry, holder: { partition: 'SAGA#EmbeddedSaga#relaying' } }]) {
    const outcome = await undispatched.claim(
      left as { messageId: string },
      lease,
      readAt,
      new CapacityMeter(),
    );
    if (outcome !== 'claimed') throw new Error(`It is ${outcome}`);
  }
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
  if (bytes?.byteLength === 16)
    return { B: new Uint8Array(Buffer.from(FIXED_ID.replaceAll('-', ''), 'hex')) };
  return attribute;
}

import { afterAll, afterEach, expect, it, jest } from '@jest/globals';
import { outboxRecordKey } from '../../lib/dynamodb/keys.ts';
import { outgoingMessageId } from '../../lib/messages/message-id.ts';
import { dynamoDBPorts } from '../support/dynamodb-ports.ts';
import { createTable, dynamoDBClient } from '../support/engines.ts';
import { fakeDate } from '../support/fake-date.ts';
import { Random } from '../support/random.ts';
import { itemsOf } from '../support/raw-items.ts';
import { scriptedEndpoint } from './relayed-requests/scripted-endpoint.ts';

const client = dynamoDBClient();
const start = new Date('2026-01-02T03:04:05.678Z').getTime();
const rounds = 40;
const kinds = {
  'a collected header': /Sagabox\.Headers/,
  'a claim check': /Sagabox\.ClaimCheck/,
  'an event of CloudEvents': /specversion/,
  'a header of the user': /tenant/,
  'a trace': /traceparent/,
  'a timeout': /Sagabox\.Timeout/,
  'a version of the saga': /Sagabox\.SagaVersion/,
  'a delay in the queue': /"DelaySeconds":/,
  'a group of its own': /"MessageGroupId":"mine"/,
  'a group of the saga': /"MessageGroupId":"(?!mine)/,
  'a conversation of others': /conversation-1/,
  'a schedule': /^CreateSchedule/,
  'a cancellation': /^DeleteSchedule/,
  'a message of SQS': /^SendMessageBatch/,
  'a message of SNS': /^PublishBatch/,
  'an event of EventBridge': /^PutEvents/,
};

const endpoints: ReturnType<typeof scriptedEndpoint>[] = [];
afterAll(() => endpoints.forEach((endpoint) => void endpoint.destroy()));
afterEach(() => void jest.useRealTimers());

/** One that sends what it commits, and one whose messages only the relay sends. */
async function twoEndpoints(outbox?: 'embedded') {
  const [table, relayedTable] = await Promise.all([createTable(), createTable()]);
  const [direct, stored] = [table, relayedTable].map((name) => scriptedEndpoint(client, name, outbox));
  if (direct === undefined || stored === undefined) throw new Error('There is no endpoint');
  endpoints.push(direct, stored);
  return { direct, stored, relayedTable };
}

function messageOf(seed: number) {
  const conversation = seed % 3 === 0 ? { 'Sagabox.ConversationId': 'conversation-1' } : {};
  return {
    id: seed % 7 === 0 ? `in ✓ ${seed}\u0001` : `in-${seed}`,
    orderId: `order-${seed % 5}`,
    headers: { 'Sagabox.ReplyTo': 'billing', ...conversation },
  };
}

/** Has one dispatch the message of a seed, and the other keep what it would have sent. @returns what was dispatched */
async function deliverToBoth({ direct, stored }: Awaited<ReturnType<typeof twoEndpoints>>, seed: number) {
  const message = messageOf(seed);
  fakeDate(start + seed * 60_000);
  expect(await direct.deliver(new Random(seed), message)).toEqual({ batchItemFailures: [] });
  const expected = direct.takeRequests();
  stored.setRefusing(true);
  await stored.deliver(new Random(seed), message);
  return { message, expected };
}

it(`the relay sends of a record byte for byte what its dispatch would have sent (seeds 0 to ${rounds - 1})`, async () => {
  const both = await twoEndpoints();
  const { stored, relayedTable } = both;
  const { outbox } = dynamoDBPorts({ client, sagaTable: relayedTable });
  const met = new Set<string>();
  const encodings = new Set<string | undefined>();
  let takenBack = 0;
  for (let seed = 0; seed < rounds; seed += 1) {
    const { message, expected } = await deliverToBoth(both, seed);
    const record = await outbox.find(message.id);
    expect(record?.dispatched).toBe(expected.length === 0);
    if (expected.length > 0) {
      const items = await itemsOf(client, relayedTable, outboxRecordKey('orders', message.id).partition);
      encodings.add(items.get('RECORD')?.encoding?.S);
      const isGap = (id: string, index: number) => id !== outgoingMessageId(message.id, 'orders', index);
      if (record?.operations.some(({ id }, index) => isGap(id, index))) takenBack += 1;
    }
    fakeDate(start + seed * 60_000 + 10);
    stored.setRefusing(false);
    await stored.relay();
    expect(stored.takeRequests()).toEqual(expected);
    for (const [kind, pattern] of Object.entries(kinds)) {
      if (expected.some((request) => pattern.test(request))) met.add(kind);
    }
  }
  expect([...met].toSorted()).toEqual(Object.keys(kinds).toSorted());
  expect([...encodings].toSorted()).toEqual(['s', 'sb']);
  expect(takenBack).toBeGreaterThan(0);
});

it(`the relay sends of an entry in the item of a saga what its dispatch would have sent (seeds 0 to ${rounds - 1})`, async () => {
  const both = await twoEndpoints('embedded');
  const { stored } = both;
  let relayed = 0;
  for (let seed = 0; seed < rounds; seed += 1) {
    const { expected } = await deliverToBoth(both, seed);
    stored.setRefusing(false);
    fakeDate(start + seed * 60_000 + 10);
    const { dispatched } = await stored.relay();
    expect(stored.takeRequests()).toEqual(expected);
    relayed += dispatched;
  }
  expect(relayed).toBeGreaterThan(rounds / 2);
});

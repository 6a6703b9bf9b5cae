import { afterAll, afterEach, describe, expect, it, jest } from '@jest/globals';
import { unpack } from '../../lib/core/outbox/packing.ts';
import { isRecordEncoding } from '../../lib/core/outbox/record-form.ts';
import { outgoingMessageId } from '../../lib/core/outgoing/message-id.ts';
import { outboxRecordKey } from '../../lib/core/storage/keys.ts';
import { createTable, dynamoDBClient } from '../support/engines.ts';
import { fakeDate } from '../support/fake-date.ts';
import { Random } from '../support/random.ts';
import { type Item, itemsOf } from '../support/raw-items.ts';
import { scriptedEndpoint } from './record-forms/scripted-endpoint.ts';

const client = dynamoDBClient();
const forms = ['slim', 'plain'] as const;
const start = new Date('2026-01-02T03:04:05.678Z').getTime();

afterEach(() => void jest.useRealTimers());

async function recordOf(tableName: string, messageId: string) {
  const items = await itemsOf(client, tableName, outboxRecordKey('orders', messageId).partition);
  const { RECORD: record = {}, ...others } = Object.fromEntries(items) as Record<string, Item>;
  return { record, chunks: Object.values(others) };
}

function operationsAsToday({ record, chunks }: Awaited<ReturnType<typeof recordOf>>, messageId: string) {
  const stored =
    record.operations?.B ??
    Buffer.concat(chunks.map(({ operations }) => operations?.B ?? []) as Uint8Array[]);
  const encoding = record.encoding?.S;
  if (encoding !== undefined && !isRecordEncoding(encoding)) throw new Error(`Unknown: ${encoding}`);
  return unpack(stored, encoding, { endpoint: 'orders', messageId });
}

describe('what the relay sends of a record', () => {
  const rounds = 40;
  const kinds = {
    'a folded header': /Sagabox\.Headers/,
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

  it(`is byte for byte what the dispatch would have sent, in both forms (seeds 0 to ${rounds - 1})`, async () => {
    const tables = await Promise.all([createTable(), createTable(), createTable()]);
    const [direct, ...stored] = tables.map((table) => scriptedEndpoint(client, table));
    if (direct === undefined) throw new Error('There is no endpoint');
    endpoints.push(direct, ...stored);
    for (const endpoint of stored) endpoint.setRefusing(true);
    const met = new Set<string>();
    const encodings = new Set<string | undefined>();
    let takenBack = 0;
    for (let seed = 0; seed < rounds; seed += 1) {
      const id = seed % 7 === 0 ? `in ✓ ${seed}\u0001` : `in-${seed}`;
      const conversation = seed % 3 === 0 ? { 'Sagabox.ConversationId': 'conversation-1' } : {};
      const headers = { 'Sagabox.ReplyTo': 'billing', ...conversation };
      const message = { id, orderId: `order-${seed % 5}`, headers };
      fakeDate(start + seed * 60_000);
      const { batchItemFailures } = await direct.deliver('slim', new Random(seed), message);
      expect(batchItemFailures).toEqual([]);
      const expected = direct.takeRequests();
      // Back and forth: in each table, one record is slim and the next one plain.
      const [first, second] = seed % 2 === 0 ? forms : forms.toReversed();
      for (const [index, form] of [first, second].entries())
        await stored[index]?.deliver(form ?? 'slim', new Random(seed), message);
      const records = await Promise.all(tables.slice(1).map((table) => recordOf(table, id)));
      const [ofSlim, ofPlain] = first === 'slim' ? records : records.toReversed();
      if (ofSlim === undefined || ofPlain === undefined) throw new Error('There is no record');
      expect(ofSlim.record.dispatched).toEqual({ BOOL: expected.length === 0 });
      if (expected.length > 0) {
        const operations = operationsAsToday(ofSlim, id);
        expect(JSON.stringify(operationsAsToday(ofPlain, id))).toBe(JSON.stringify(operations));
        for (const { record } of [ofSlim, ofPlain]) encodings.add(record.encoding?.S);
        if (operations.some(({ id: own }, index) => own !== outgoingMessageId(id, 'orders', index)))
          takenBack += 1;
      }
      fakeDate(start + seed * 60_000 + 10);
      for (const endpoint of stored) {
        endpoint.setRefusing(false);
        await endpoint.relay();
        expect(endpoint.takeRequests()).toEqual(expected);
        endpoint.setRefusing(true);
      }
      for (const [kind, pattern] of Object.entries(kinds)) {
        if (expected.some((request) => pattern.test(request))) met.add(kind);
      }
    }
    expect([...met].toSorted()).toEqual(Object.keys(kinds).toSorted());
    expect([...encodings].toSorted()).toEqual(['br', 's', 'sb', undefined]);
    expect(takenBack).toBeGreaterThan(0);
  }, 60_000);
});

describe('what the relay sends of an entry in an item of a saga', () => {
  const rounds = 40;
  const endpoints: ReturnType<typeof scriptedEndpoint>[] = [];
  afterAll(() => endpoints.forEach((endpoint) => void endpoint.destroy()));

  it(`is byte for byte what the dispatch would have sent, in both forms (seeds 0 to ${rounds - 1})`, async () => {
    const tables = await Promise.all([createTable(), createTable()]);
    endpoints.push(...tables.map((table) => scriptedEndpoint(client, table, 'embedded')));
    const [direct, stored] = endpoints;
    if (direct === undefined || stored === undefined) throw new Error('There is no endpoint');
    let relayed = 0;
    for (let seed = 0; seed < rounds; seed += 1) {
      const form = forms[seed % 2] ?? 'slim';
      const message = {
        id: seed % 7 === 0 ? `in ✓ ${seed}\u0001` : `in-${seed}`,
        orderId: `order-${seed % 5}`,
        headers: { 'Sagabox.ReplyTo': 'billing' },
      };
      fakeDate(start + seed * 60_000);
      expect(await direct.deliver(form, new Random(seed), message)).toEqual({ batchItemFailures: [] });
      const expected = direct.takeRequests();
      stored.setRefusing(true);
      await stored.deliver(form, new Random(seed), message);
      stored.setRefusing(false);
      fakeDate(start + seed * 60_000 + 10);
      const { dispatched } = await stored.relay();
      expect(stored.takeRequests()).toEqual(expected);
      relayed += dispatched;
    }
    expect(relayed).toBeGreaterThan(rounds / 2);
  }, 60_000);
});

import { GetItemCommand } from '@aws-sdk/client-dynamodb';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { createHandler, defineSaga, embeddedOutbox, itemSize, type MessageReport } from 'sagabox';
import { sqsEvent, sqsRecord, testSaga } from 'sagabox/testing';
import { z } from 'zod';
import { SagaQueues } from '../../lib/attempt/saga-queue/saga-queue.ts';
import { sagaKey } from '../../lib/dynamodb/keys.ts';
import { embeddedItem } from '../../lib/outbox/embedded/embedded-item.ts';
import { deliverRecord } from '../../lib/testing/deliver-record.ts';
import { memoryFlow } from '../../lib/testing/memory-flow.ts';
import { silentLogger } from '../../lib/testing/silent-logger.ts';
import { testDefaults } from '../../lib/testing/test-defaults.ts';
import { createTable, dynamoDBClient } from '../support/engines.ts';
import { sagaboxErrorOf } from '../support/error-of.ts';
import { fakeDate } from '../support/fake-date.ts';

type Options = Pick<Parameters<typeof defineSaga>[0], 'outbox' | 'state'>;

const sagaOf = (options: Options) =>
  defineSaga({
    name: 'Orders',
    messages: { Grow: z.object({ length: z.number() }), Look: z.object({}) },
    correlate: { Grow: () => '7', Look: () => '7' },
    startedBy: ['Grow'],
    initialState: () => ({ text: '' }),
    handlers: {
      Grow({ body }, { saga }) {
        saga.state.text = 'x'.repeat(body.length);
      },
      Look() {},
    },
    ...options,
  });

const messages = [
  ['Grow', 'm1', 2000],
  ['Look', 'm2', 0],
  ['Grow', '9d6b2a52-1c3f-4b8e-9f64-0d2f6f1f3a11', 3000],
] as const;
const recordOf = ([type, id, length]: (typeof messages)[number] | readonly ['Grow', string, number]) =>
  sqsRecord({ type, body: { length }, id, queueName: 'test', sentAt: testDefaults.now });

// Numbers of other times have other digits, and digits are bytes.
beforeEach(() => fakeDate(testDefaults.now));
afterEach(() => void jest.useRealTimers());

/** Production's handler on an engine. */
async function onEngine(options: Options) {
  const tableName = await createTable();
  const client = dynamoDBClient();
  const reports: MessageReport[] = [];
  const handler = createHandler(sagaOf(options), {
    endpoint: 'test',
    dynamoDBClient: client,
    sagaTable: { tableName },
    outboxTable: { tableName },
    logger: silentLogger,
    onMessage: (report) => void reports.push(report),
    throwOnFullBatchFailure: false,
  });
  const deliver = async (record: ReturnType<typeof recordOf>) => {
    await handler(sqsEvent([record]));
    return reports.at(-1);
  };
  const { partition, sort } = sagaKey({ name: 'Orders', id: '7' });
  const Key = { PK: { S: partition }, SK: { S: sort } };
  const itemBytes = async () => {
    const { Item = {} } = await client.send(
      new GetItemCommand({ TableName: tableName, Key, ConsistentRead: true }),
    );
    return itemSize(Item);
  };
  return { deliver, itemBytes };
}

describe('the size of an item in memory', () => {
  it.each([{}, { outbox: embeddedOutbox() }])('is what production refuses, with %j', async (options) => {
    const large = ['Grow', 'm1', 409_600] as const;
    const memory = testSaga(sagaOf(options));
    const { code, facts } = await sagaboxErrorOf(memory.deliverRecord(recordOf(large)));
    const engine = await onEngine(options);
    const { error } = (await engine.deliver(recordOf(large))) ?? {};
    expect({ code, facts }).toMatchObject({ code: 'ItemTooLarge', facts: { bytes: expect.any(Number) } });
    expect(error).toMatchObject({ code, facts });
  });

  it.each([{ outbox: embeddedOutbox() }, { outbox: embeddedOutbox(), state: { compress: true } }])(
    'is what an engine stores, with %j',
    async (options) => {
      const engine = await onEngine(options);
      const definition = sagaOf(options);
      const clock = { now: () => testDefaults.now, sleep: async () => {} };
      const { flow, tables, sagas } = memoryFlow(definition as never, {}, clock, {});
      const tested = { definition: definition as never, flow, options: {}, tables, queues: new SagaQueues() };
      for (const message of messages) {
        expect((await engine.deliver(recordOf(message)))?.outcome).toBe('handled');
        expect((await deliverRecord(tested, recordOf(message))).outcome).toBe('handled');
        const { item } = sagas.read({ name: 'Orders', id: '7' });
        expect([message, embeddedItem(item)?.bytes]).toEqual([message, await engine.itemBytes()]);
      }
    },
  );
});

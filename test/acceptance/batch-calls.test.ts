import type { SendMessageBatchRequestEntry } from '@aws-sdk/client-sqs';
import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { SQSRecord } from 'aws-lambda';
import {
  type CreateHandlerOptions,
  createHandler,
  defineHandlers,
  defineSaga,
  type MessageReport,
} from 'sagabox';
import { z } from 'zod';
import { silentLogger } from '../../lib/testing/silent-logger.ts';
import { dieAt, type Seam } from '../support/crash.ts';
import { createQueue, createTable, dynamoDBClient, sqsClient } from '../support/engines.ts';
import { ClientFaults, dynamoDBError, type Fault } from '../support/faults.ts';
import { drain, record } from '../support/queue.ts';
import { allItems } from '../support/raw-items.ts';

const orderSaga = defineSaga({
  name: 'Order',
  messages: { OrderPlaced: z.object({ orderId: z.string() }) },
  correlate: { OrderPlaced: (m) => m.orderId },
  startedBy: ['OrderPlaced'],
  initialState: () => ({ placed: 0 }),
  handlers: {
    OrderPlaced({ body }, { saga, send }) {
      if (body.orderId === 'broken') throw new Error('the handler is broken');
      saga.state.placed += 1;
      send('billing', 'ChargeCard', body);
    },
  },
});

const parcels = defineHandlers({
  messages: { ParcelSent: z.object({ orderId: z.string() }) },
  handlers: { ParcelSent: ({ body }, { send }) => send('billing', 'ChargeCard', body) },
});

let tables: { saga: string; outbox: string };
let billing: string;
let reports: MessageReport[];
const clients = { dynamoDB: dynamoDBClient(), sqs: sqsClient() };
let dynamoDB: ClientFaults;
let sqs: ClientFaults;

async function open(): Promise<void> {
  clients.dynamoDB = dynamoDBClient();
  clients.sqs = sqsClient();
  dynamoDB = new ClientFaults(clients.dynamoDB);
  sqs = new ClientFaults(clients.sqs);
  tables = { saga: await createTable(), outbox: await createTable() };
  billing = await createQueue();
  reports = [];
}

// The first batch compiles what it runs: on a busy machine its messages come too far apart to share calls.
beforeAll(async () => {
  await open();
  expect(await deliver(orders(10))).toEqual([]);
});
beforeEach(open);

/** @returns which of the records are returned as failed */
async function deliver(records: readonly SQSRecord[], options: CreateHandlerOptions = {}): Promise<number[]> {
  const handler = createHandler([orderSaga, parcels], {
    throwOnFullBatchFailure: false,
    endpoint: 'orders',
    sagaTable: { tableName: tables.saga },
    outboxTable: { tableName: tables.outbox },
    destinations: { billing },
    dynamoDBClient: clients.dynamoDB,
    sqsClient: clients.sqs,
    logger: silentLogger,
    onMessage: (report) => void reports.push(report),
    recoverability: { immediateRetries: { maxRetries: 0 } },
    ...options,
  });
  const { batchItemFailures } = await handler({ Records: [...records] });
  return batchItemFailures.map(({ itemIdentifier }) =>
    records.findIndex(({ messageId }) => messageId === itemIdentifier),
  );
}

const orders = (count: number, type = 'OrderPlaced', first = 0) =>
  Array.from({ length: count }, (_, index) =>
    record(type, { orderId: `order-${first + index}` }, `${type}-${first + index}`),
  );

function calls(): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const operation of [...dynamoDB.operations, ...sqs.operations]) {
    counts[operation] = (counts[operation] ?? 0) + 1;
  }
  return counts;
}
const totalOf = (counts: Record<string, number>) =>
  Object.values(counts).reduce((sum, count) => sum + count, 0);

const charged = async () =>
  (await drain(clients.sqs, billing)).map(({ body }) => (body as { orderId: string }).orderId).toSorted();
const dispatched = async () =>
  (await allItems(clients.dynamoDB, tables.outbox)).map((item) => item.dispatched?.BOOL);
const namesOf = (count: number, without?: number) =>
  Array.from({ length: count }, (_, index) => `order-${index}`).filter((_, index) => index !== without);

describe('Cost: ten messages with one outgoing message each', () => {
  it('take four calls: they are read, committed, sent and marked together', async () => {
    expect(await deliver(orders(10))).toEqual([]);
    expect(calls()).toEqual({
      BatchGetItem: 1,
      TransactWriteItems: 1,
      SendMessageBatch: 1,
      BatchWriteItem: 1,
    });
    expect(await charged()).toEqual(namesOf(10));
    expect(await dispatched()).toEqual(Array(10).fill(true));
  });

  it('take at most five calls in one table for both', async () => {
    tables = { saga: tables.outbox, outbox: tables.outbox };
    expect(await deliver(orders(10))).toEqual([]);
    expect(totalOf(calls())).toBeLessThanOrEqual(5);
    expect(await charged()).toEqual(namesOf(10));
  });

  it('share their calls when they are of two definitions, but for commits of one item, which cost half', async () => {
    expect(await deliver([...orders(5), ...orders(5, 'ParcelSent')])).toEqual([]);
    const { PutItem: puts, ...others } = calls();
    expect(puts).toBe(5);
    // Where the puts take longer than the transaction, the messages of the two definitions are sent and marked apart.
    expect(totalOf(others)).toBeLessThanOrEqual(8);
    expect(await charged()).toHaveLength(10);
  });

  it('take one call when all were handled before', async () => {
    await deliver(orders(10));
    dynamoDB.reset();
    sqs.reset();
    expect(await deliver(orders(10))).toEqual([]);
    expect(calls()).toEqual({ BatchGetItem: 1 });
  });

  it('pay what was reported for their calls, each its share', async () => {
    await deliver(orders(10));
    const outputs = dynamoDB.requests.map(({ operation, output }) => ({ operation, output }));
    const reported = { readUnits: 0, writeUnits: 0 };
    for (const { operation, output } of outputs) {
      for (const { CapacityUnits: units } of output.ConsumedCapacity) {
        reported[operation === 'BatchGetItem' ? 'readUnits' : 'writeUnits'] += units;
      }
    }
    const paid = reports.map(({ capacity }) => capacity);
    expect(paid.reduce((sum, { writeUnits }) => sum + writeUnits, 0)).toBeCloseTo(reported.writeUnits, 9);
    expect(paid.reduce((sum, { readUnits }) => sum + readUnits, 0)).toBeCloseTo(reported.readUnits, 9);
    expect(new Set(paid.map(({ writeUnits }) => writeUnits)).size).toBe(1);
  });
});

describe('Cost: ten messages of one saga', () => {
  const ofOneSaga = () =>
    Array.from({ length: 10 }, (_, index) =>
      record('OrderPlaced', { orderId: 'order-0' }, `OrderPlaced-${index}`),
    );
  const inOneGroup = () =>
    ofOneSaga().map((each) => ({
      ...each,
      eventSourceARN: `${each.eventSourceARN}.fifo`,
      attributes: { ...each.attributes, MessageGroupId: 'order-0' },
    }));

  it.each([
    ['four calls from a FIFO queue', inOneGroup, {}, { writeUnits: 2 * 11 + 10, readUnits: 11 }],
    // A crowd of a standard queue reads its saga by the write that takes the lease.
    [
      'a lease from a standard queue',
      ofOneSaga,
      { UpdateItem: 1 },
      { writeUnits: 2 * 11 + 10 + 1, readUnits: 10 },
    ],
  ])('have one write of the saga, and take %s', async (_how, records, lease, units) => {
    expect(await deliver(records())).toEqual([]);
    expect(calls()).toEqual({
      BatchGetItem: 1,
      ...lease,
      TransactWriteItems: 1,
      SendMessageBatch: 1,
      BatchWriteItem: 1,
    });
    expect(await charged()).toEqual(Array(10).fill('order-0'));
    expect(await dispatched()).toEqual(Array(10).fill(true));
    const [saga, ...others] = await allItems(clients.dynamoDB, tables.saga);
    expect(saga).toMatchObject({ state: { M: { placed: { N: '10' } } }, version: { N: '10' } });
    expect(others).toEqual([]);
    const paid = reports.map(({ capacity }) => capacity);
    // Twice the ten records and the saga, ten marks, and the lease of a crowd.
    expect(paid.reduce((sum, { writeUnits }) => sum + writeUnits, 0)).toBeCloseTo(units.writeUnits, 9);
    expect(paid.reduce((sum, { readUnits }) => sum + readUnits, 0)).toBeCloseTo(units.readUnits, 9);
  });
});

describe('I2: ten messages of which one is there twice', () => {
  it('are each handled once', async () => {
    const copy = record('OrderPlaced', { orderId: 'copy' }, 'OrderPlaced-4');
    expect(await deliver([...orders(9), copy])).toEqual([]);
    expect(reports.map(({ outcome }) => outcome)).toEqual([...Array(9).fill('handled'), 'duplicate']);
    expect(await charged()).toHaveLength(9);
    expect(await allItems(clients.dynamoDB, tables.saga)).toHaveLength(9);
  });
});

describe('Cost: ten messages whose shared commit is refused', () => {
  it('commit one by one, as do the next ones for a while', async () => {
    const metrics: string[] = [];
    const options = { metrics: { addMetric: (name: string) => void metrics.push(name) } };
    const counted = () => metrics.filter((name) => /Merge/.test(name));
    dynamoDB.plan('TransactWriteItems', conflictOn('order-4'), 11);
    expect(await deliver(orders(10), options)).toEqual([4]);
    expect(calls().TransactWriteItems).toBe(11);
    expect(counted()).toEqual(['MergesRefused']);

    const transactions: number[] = [];
    for (let first = 10; first < 60; first += 10) {
      dynamoDB.reset();
      expect(await deliver(orders(10, 'OrderPlaced', first), options)).toEqual([]);
      transactions.push(calls().TransactWriteItems ?? 0);
    }
    expect(transactions).toEqual([10, 10, 10, 10, 1]);
    expect(counted()).toEqual(['MergesRefused', ...Array(10).fill('CommitsMerged')]);
  });
});

describe('Cost: a redelivered message', () => {
  it('commits alone, whatever made its first delivery fail', async () => {
    const [first, ...others] = orders(10);
    if (first === undefined) throw new Error('There is no record');
    const attributes = { ...first.attributes, ApproximateReceiveCount: '2' };
    expect(await deliver([{ ...first, attributes }, ...others])).toEqual([]);
    expect(calls()).toMatchObject({ TransactWriteItems: 2, SendMessageBatch: 1, BatchWriteItem: 1 });
  });
});

describe('Cost: a message by itself', () => {
  it('takes one call for each step, and one for all of its reads', async () => {
    expect(await deliver(orders(1))).toEqual([]);
    expect([...dynamoDB.operations, ...sqs.operations]).toEqual([
      'BatchGetItem',
      'TransactWriteItems',
      'BatchWriteItem',
      'SendMessageBatch',
    ]);
  });
});

describe('Cost: 25 messages', () => {
  it('are each handled once, in far fewer calls than one by one', async () => {
    expect(await deliver(orders(25))).toEqual([]);
    expect(totalOf(calls())).toBeLessThanOrEqual(25);
    expect(await charged()).toEqual(namesOf(25).toSorted());
    expect(await dispatched()).toEqual(Array(25).fill(true));
  });
});

describe('I3, I5: one of ten messages that fails', () => {
  const failing = 4;

  it('leaves the others alone when its schema refuses it', async () => {
    const records = orders(10).with(failing, record('OrderPlaced', { orderId: 4 }, 'OrderPlaced-4'));
    expect(await deliver(records)).toEqual([failing]);
    expect(await charged()).toEqual(namesOf(10, failing));
    expect(await dispatched()).toEqual(Array(9).fill(true));
  });

  it('leaves the others alone when its handler throws', async () => {
    const records = orders(10).with(failing, record('OrderPlaced', { orderId: 'broken' }, 'OrderPlaced-4'));
    expect(await deliver(records)).toEqual([failing]);
    expect(await charged()).toEqual(namesOf(10, failing));
  });

  it.each<[string, () => void]>([
    ['reads are refused, and with them the call that they share', () => refuseReadsOf('order-4')],
    ['commit meets a conflict', () => dynamoDB.plan('TransactWriteItems', conflictOn('order-4'), 11)],
    [
      'send shares a call that is refused because of it',
      () => sqs.plan('SendMessageBatch', refuseCallWith('order-4'), 20),
    ],
  ])('leaves the others alone when its %s', async (_what, plan) => {
    plan();
    expect(await deliver(orders(10))).toEqual([failing]);
    expect(await charged()).toEqual(namesOf(10, failing));
  });

  it.each<[string, () => void]>([
    ['send is refused by the queue', () => sqs.plan('SendMessageBatch', refuseEntryOf('order-4'), 10)],
    ['mark is refused', () => dynamoDB.plan('BatchWriteItem', refuseMarkOf('OrderPlaced-4'), 20)],
  ])('leaves the others alone, and is dispatched by the redelivery, when its %s', async (_what, plan) => {
    plan();
    expect(await deliver(orders(10))).toEqual([failing]);
    expect((await dispatched()).toSorted()).toEqual([false, ...Array(9).fill(true)]);

    for (const faults of [sqs, dynamoDB]) faults.reset();
    expect(await deliver(orders(10))).toEqual([]);
    expect(new Set(await charged())).toEqual(new Set(namesOf(10)));
    expect(await dispatched()).toEqual(Array(10).fill(true));
  });
});

describe('I1, I2, I3: a function that dies with ten messages in hand', () => {
  const seams: Seam[] = [
    { operation: 'BatchGetItem', when: 'after', nth: 1 },
    { operation: 'TransactWriteItems', when: 'before', nth: 1 },
    { operation: 'TransactWriteItems', when: 'after', nth: 1 },
    { operation: 'SendMessageBatch', when: 'before', nth: 1 },
    { operation: 'SendMessageBatch', when: 'after', nth: 1 },
    { operation: 'BatchWriteItem', when: 'before', nth: 1 },
    { operation: 'BatchWriteItem', when: 'after', nth: 1 },
  ];

  it.each(seams)(
    'has each of them applied once by the redelivery when it dies $when $operation $nth',
    async (seam) => {
      const dying = { dynamoDBClient: dynamoDBClient(), sqsClient: sqsClient() };
      dieAt(Object.values(dying), seam);
      expect((await deliver(orders(10), dying)).length).toBeGreaterThan(0);
      expect(await deliver(orders(10))).toEqual([]);

      // A message that was sent twice has the same id both times.
      const arrived = new Map((await drain(clients.sqs, billing)).map(({ id, body }) => [id, body]));
      expect([...arrived.values()].map((body) => (body as { orderId: string }).orderId).toSorted()).toEqual(
        namesOf(10),
      );
      const states = (await allItems(clients.dynamoDB, tables.saga)).map((item) => item.state?.M);
      expect(states).toEqual(Array(10).fill({ placed: { N: '1' } }));
      expect(await dispatched()).toEqual(Array(10).fill(true));
    },
  );
});

const mentions = (input: object, text: string) => JSON.stringify(input).includes(text);

function refuseReadsOf(orderId: string): void {
  const refuse: Fault = async (input, proceed) => {
    if (mentions(input, orderId)) throw dynamoDBError('ValidationException');
    return await proceed();
  };
  dynamoDB.plan('BatchGetItem', refuse, 21);
}

function conflictOn(orderId: string): Fault {
  return async (input, proceed) => {
    if (!mentions(input, `SAGA#Order#${orderId}`)) return await proceed();
    throw dynamoDBError('TransactionCanceledException', {
      CancellationReasons: [{ Code: 'ConditionalCheckFailed' }, { Code: 'None' }],
    });
  };
}

function refuseEntryOf(orderId: string): Fault {
  return async (input, proceed) => {
    const entries = input.Entries as SendMessageBatchRequestEntry[];
    const refused = entries.find(({ MessageBody }) => MessageBody?.includes(orderId));
    const output = (await proceed()) as object;
    const Failed = refused ? [{ Id: refused.Id, SenderFault: true, Code: 'InvalidMessageContents' }] : [];
    return { ...output, Failed };
  };
}

function refuseCallWith(orderId: string): Fault {
  return async (input, proceed) => {
    if (mentions(input, orderId)) throw dynamoDBError('InvalidMessageContents');
    return await proceed();
  };
}

function refuseMarkOf(messageId: string): Fault {
  return async (input, proceed) => {
    if (mentions(input, messageId)) throw dynamoDBError('ValidationException');
    return await proceed();
  };
}

import { randomBytes } from 'node:crypto';
import type { TransactWriteItem } from '@aws-sdk/client-dynamodb';
import { beforeEach, describe, expect, it } from '@jest/globals';
import {
  type CreateHandlerOptions,
  createHandler,
  defineSaga,
  type MessageFailure,
  type MessageReport,
  recoverability,
  UnrecoverableError,
} from 'sagabox';
import { z } from 'zod';
import { silentLogger } from '../../lib/testing/silent-logger.ts';
import { createQueue, createTable, dynamoDBClient, sqsClient } from '../support/engines.ts';
import { ClientFaults, type Fault } from '../support/faults.ts';
import { outboxOfForm } from '../support/outbox-of-form.ts';
import { drain, record } from '../support/queue.ts';
import { allItems, type Item } from '../support/raw-items.ts';

type Transaction = { add(item: TransactWriteItem): void };

/** What happens beside the handler of a message, by its note. */
let beside: (note: string, state: { count: number }, transaction: Transaction) => Promise<unknown>;

const saga = defineSaga({
  name: 'Counter',
  outbox: outboxOfForm('embedded'),
  messages: {
    Counted: z.object({ counter: z.string(), note: z.string(), stateBytes: z.number().optional() }),
    Looked: z.object({ counter: z.string() }),
    Closed: z.object({ counter: z.string() }),
  },
  correlate: { Counted: (m) => m.counter, Looked: (m) => m.counter, Closed: (m) => m.counter },
  startedBy: ['Counted'],
  initialState: (): { count: number; filling?: string | undefined } => ({ count: 0 }),
  stateSchema: z.object({ count: z.number().nonnegative(), filling: z.string().optional() }),
  handlers: {
    async Counted({ body }, { saga, send, transaction }) {
      saga.state.count += 1;
      if (body.stateBytes !== undefined) saga.state.filling = 'x'.repeat(body.stateBytes);
      send('billing', 'Charge', { note: body.note });
      await beside(body.note, saga.state, transaction);
    },
    Looked() {},
    Closed(_message, { saga }) {
      saga.complete();
    },
  },
});

const locking = {
  mode: 'pessimistic',
  leaseDuration: { seconds: 5 },
  leaseAcquisitionTimeout: { milliseconds: 50 },
  minRefreshDelay: { milliseconds: 5 },
  maxRefreshDelay: { milliseconds: 10 },
} as const;

let tableName: string;
let queues: { billing: string };
let reports: MessageReport[];

beforeEach(async () => {
  tableName = await createTable();
  queues = { billing: await createQueue() };
  reports = [];
  beside = async () => {};
});

/** A function of its own. */
function endpoint(options: CreateHandlerOptions = {}) {
  const client = dynamoDBClient();
  const handler = createHandler(saga, {
    endpoint: 'counters',
    throwOnFullBatchFailure: false,
    sagaTable: { tableName },
    outboxTable: { tableName },
    destinations: queues,
    dynamoDBClient: client,
    sqsClient: sqsClient(),
    logger: silentLogger,
    onMessage: (report) => void reports.push(report),
    ...options,
  });
  const deliver = async (...Records: ReturnType<typeof record>[]) =>
    (await handler({ Records })).batchItemFailures.map(({ itemIdentifier }) => itemIdentifier);
  return { faults: new ClientFaults(client), deliver };
}

const counted = (id: string, note = 'n', counter = '7') => record('Counted', { counter, note }, id);
const filling = (id: string, stateBytes: number, note = 'n') =>
  record('Counted', { counter: '7', note, stateBytes }, id);
const closed = (id: string) => record('Closed', { counter: '7' }, id);
const items = async () => await allItems(dynamoDBClient(), tableName);
const pendingIn = async () => (await items()).flatMap(({ pending }) => Object.keys(pending?.M ?? {}));
const outcomes = () => reports.map(({ outcome }) => outcome);

describe('I4: a lock on a saga with an embedded outbox that does not exist yet', () => {
  it('gives its lease back when another function has made it a tombstone', async () => {
    const other = endpoint();
    // As a discard of an endpoint that runs without leases.
    beside = async () => await other.deliver(closed('c1'));
    const [late, next] = [counted('m1'), closed('c2')];
    const holder = endpoint({ locking, recoverability: { immediateRetries: { maxRetries: 0 } } });
    expect(await holder.deliver(late)).toEqual([late.messageId]);
    expect((await items()).map(({ lease, state }) => [lease, state])).toEqual([[undefined, undefined]]);

    expect(await endpoint({ locking }).deliver(next)).toEqual([]);
  });
});

describe('I4, I5: an ignored message whose commit meets a conflict', () => {
  it('is committed on the saga as it is then', async () => {
    beside = async (note) => {
      if (note === 'bad') throw new Error('bad');
    };
    const other = endpoint();
    const ignoring = endpoint({ recoverability: { policy: () => recoverability.ignore } });
    ignoring.faults.plan('BatchGetItem', (_input, proceed) => proceed());
    ignoring.faults.plan('BatchGetItem', async (_input, proceed) => {
      const answer = await proceed();
      await other.deliver(counted('other'));
      return answer;
    });
    const bad = counted('m1', 'bad');
    expect(await ignoring.deliver(bad)).toEqual([]);
    expect(ignoring.faults.pending).toBe(0);

    reports.length = 0;
    expect(await endpoint().deliver(bad)).toEqual([]);
    expect(outcomes()).toEqual(['duplicate']);
  });
});

describe('I4: a handler that fails on the state of its saga', () => {
  const refusing = async (note: string, state: { count: number }) => {
    if (state.count >= 3) return;
    if (note === 'third') throw new UnrecoverableError('The second one has not come');
    if (note === 'third, invalid') state.count = -1;
  };

  let decided: unknown[];
  const policy = ({ code }: MessageFailure) => {
    decided.push(code);
    return code === 'SagaConcurrency' ? recoverability.retryNow : recoverability.ignore;
  };
  beforeEach(() => {
    decided = [];
  });

  /** The next read finds what was stored before the second message, which has caused the third one. */
  const readOld = (faults: ClientFaults, old: Item[]) =>
    faults.answer('BatchGetItem', { Responses: { [tableName]: old } });

  it.each([
    ['throws, in optimistic mode', 'third', { mode: 'optimistic' }],
    ['throws, in eventual mode', 'third', { mode: 'optimistic', consistentRead: false }],
    ['leaves an invalid state', 'third, invalid', { mode: 'optimistic' }],
  ] as const)('gets its message again on a newer state when it %s', async (_what, note, locking) => {
    beside = refusing;
    const { deliver, faults } = endpoint({ locking, recoverability: { policy } });
    await deliver(counted('m1'));
    const old = await items();
    await deliver(counted('m2'));
    readOld(faults, old);
    expect(await deliver(counted('m3', note))).toEqual([]);
    expect(decided).toEqual([]);
    expect(outcomes()).toEqual(['handled', 'handled', 'handled']);
    expect((await items())[0]?.version).toEqual({ N: '3' });
  });

  it('gets its message again behind one that changes nothing of an old state', async () => {
    beside = refusing;
    const { deliver, faults } = endpoint({ recoverability: { policy } });
    await deliver(counted('m1'));
    const old = await items();
    await deliver(counted('m2'));
    readOld(faults, old);
    expect(await deliver(record('Looked', { counter: '7' }, 'l1'), counted('m3', 'third'))).toEqual([]);
    expect(decided).toEqual(['SagaConcurrency']);
    expect((await items())[0]?.version).toEqual({ N: '4' });
  });

  it('fails its message on the latest state, after one more read', async () => {
    beside = refusing;
    const { deliver, faults } = endpoint({ recoverability: { policy: () => recoverability.ignore } });
    await deliver(counted('m1'));
    faults.reset();
    expect(await deliver(counted('m3', 'third'))).toEqual([]);
    expect(outcomes()).toEqual(['handled', 'failed']);
    const reads = faults.requests.filter(({ operation }) => operation === 'BatchGetItem');
    // The first one, whether that was the latest, and that of what is ignored.
    expect(reads.map(({ input }) => input.RequestItems[tableName].ConsistentRead)).toEqual([
      false,
      true,
      true,
    ]);
  });
});

describe('I2, I3: statements of one call', () => {
  const answerEach =
    (answer: object, count = (asked: number) => asked): Fault =>
    async ({ Statements }) => ({
      $metadata: {},
      Responses: Statements.slice(0, count(Statements.length)).map(() => answer),
    });
  const unknown = { Error: { Code: 'ValidationError', Message: 'unknown' } };

  it.each<[string, Fault]>([
    ['are each refused for an unknown reason', answerEach(unknown)],
    ['get no answer', answerEach({}, () => 0)],
    ['get fewer answers than there are', answerEach({}, (asked) => asked - 1)],
    [
      'are carried out, and get fewer answers than there are',
      async (input, proceed) => {
        await proceed();
        return await answerEach({}, () => 1)(input, proceed);
      },
    ],
  ])('are followed by a call for each of them when they %s', async (_what, fault) => {
    const { deliver, faults } = endpoint();
    // The commits, and the marks.
    faults.plan('BatchExecuteStatement', fault, 2);
    expect(await deliver(counted('m1', 'n', '1'), counted('m2', 'n', '2'))).toEqual([]);
    expect(outcomes()).toEqual(['handled', 'handled']);
    expect(faults.operations).toEqual([
      'BatchGetItem',
      'BatchExecuteStatement',
      'UpdateItem',
      'UpdateItem',
      'BatchExecuteStatement',
      'UpdateItem',
      'UpdateItem',
    ]);
    expect(await pendingIn()).toEqual([]);
    expect((await items()).map(({ version }) => version?.N)).toEqual(['1', '1']);
    expect(await drain(sqsClient(), queues.billing)).toHaveLength(2);
  });
});

describe('I1, I2: writes of a handler beside an embedded outbox', () => {
  const charge = { PK: { S: 'CHARGE#1' }, SK: { S: 'CHARGE' } };
  const charges = async () => (await items()).filter(({ SK }) => SK?.S === 'CHARGE');

  beforeEach(() => {
    beside = async (_note, _state, transaction) =>
      transaction.add({
        Put: { TableName: tableName, Item: charge, ConditionExpression: 'attribute_not_exists(PK)' },
      });
  });

  it.each([
    ['gets its answer', false],
    ['gets none, and is sent again', true],
  ])('are committed once, with the item, when the transaction %s', async (_what, isLost) => {
    const { deliver, faults } = endpoint();
    if (isLost) faults.loseAnswer('TransactWriteItems');
    expect(await deliver(counted('m1'))).toEqual([]);
    expect(faults.operations.filter((operation) => operation !== 'BatchGetItem')).toEqual([
      ...Array<string>(isLost ? 2 : 1).fill('TransactWriteItems'),
      'UpdateItem',
    ]);
    expect((await items()).map(({ SK }) => SK?.S).toSorted()).toEqual(['CHARGE', 'SAGA']);
    expect(await deliver(counted('m1'))).toEqual([]);
    expect(outcomes()).toEqual(['handled', 'duplicate']);
  });

  it('leave the item as it is when their condition does not hold', async () => {
    const { deliver } = endpoint();
    await deliver(counted('m1'));
    const before = await items();
    const message = counted('m2');
    expect(await deliver(message)).toEqual([message.messageId]);
    expect(reports.at(-1)?.error).toMatchObject({ code: 'TransactionConditionFailed' });
    expect(await items()).toEqual(before);
    expect(await charges()).toHaveLength(1);
    expect(await drain(sqsClient(), queues.billing)).toHaveLength(1);
  });
});

describe('I2, I5: a large item with an embedded outbox', () => {
  /** Of random bytes: as large in the item, though it is compressed. */
  const largeNote = () => randomBytes(180_000).toString('base64');
  const stored = async () => (await items()).map(({ SK, dispatched }) => [SK?.S, dispatched?.BOOL]);

  it('gets records for messages that do not fit beside its state', async () => {
    const { deliver } = endpoint();
    const message = filling('m1', 250_000, largeNote());
    expect(await deliver(message)).toEqual([]);
    expect(await stored()).toEqual([
      ['RECORD', true],
      ['SAGA', undefined],
    ]);
    expect(await drain(sqsClient(), queues.billing)).toHaveLength(1);
    expect(await deliver(message)).toEqual([]);
    expect(outcomes()).toEqual(['handled', 'duplicate']);
  });

  it('is refused over 392 KB, and its message returned', async () => {
    const { deliver } = endpoint();
    await deliver(counted('m1'));
    const before = await items();
    const message = filling('m2', 392 * 1024);
    expect(await deliver(message)).toEqual([message.messageId]);
    expect(reports.at(-1)?.error).toMatchObject({ code: 'ItemTooLarge' });
    expect(await items()).toEqual(before);
  });

  it('has room for leases, and for the ids of messages', async () => {
    const { deliver } = endpoint({ locking });
    expect(await deliver(filling('m1', 392 * 1024 - 400))).toEqual([]);
    expect(await deliver(closed('c1'))).toEqual([]);
    expect(outcomes()).toEqual(['handled', 'handled']);
  });
});

describe('Cost: a discard that has a lease', () => {
  it('gives it back in its commit, without a call for that', async () => {
    const { deliver, faults } = endpoint({ locking });
    await deliver(counted('m1'));
    await deliver(closed('c1'));
    faults.reset();
    expect(await deliver(closed('c2'))).toEqual([]);
    expect(outcomes()).toEqual(['handled', 'handled', 'discarded']);
    expect(faults.operations).toEqual(['UpdateItem', 'UpdateItem']);
    expect((await items())[0]?.lease).toBeUndefined();
  });
});

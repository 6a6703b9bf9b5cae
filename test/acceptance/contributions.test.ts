import { GetItemCommand, ScanCommand } from '@aws-sdk/client-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import { beforeEach, describe, expect, it } from '@jest/globals';
import type { SQSRecord } from 'aws-lambda';
import { type CreateHandlerOptions, defineSaga, type Locking, type MessageReport } from 'sagabox';
import * as v from 'valibot';
import { createQueue, createTable, dynamoDBClient, sqsClient } from '../support/engines.ts';
import { ClientFaults } from '../support/faults.ts';
import { record } from '../support/queue.ts';
import { acknowledge, receiveRecords } from '../support/received-records.ts';
import { returnedIds } from '../support/returned-ids.ts';
import { cells } from '../support/samples.ts';
import { modes } from './modes.ts';

const poll = v.object({ poll: v.string() });

const pollSaga = defineSaga({
  name: 'Poll',
  messages: {
    Opened: poll,
    Voted: v.object({
      poll: v.string(),
      by: v.number(),
      text: v.optional(v.string()),
      many: v.optional(v.number(), 1),
    }),
    Counted: v.object({ poll: v.string(), atLeast: v.number() }),
    Dropped: poll,
    Closed: poll,
  },
  correlate: {
    Opened: (m) => m.poll,
    Voted: (m) => m.poll,
    Counted: (m) => m.poll,
    Dropped: (m) => m.poll,
    Closed: (m) => m.poll,
  },
  startedBy: ['Opened'],
  appendedBy: ['Voted'],
  collectedBy: ['Counted', 'Dropped'],
  initialState: () => ({ voters: [] as number[], commits: 0, isComplete: false }),
  handlers: {
    Opened() {},
    Voted({ body }, { saga }) {
      for (let vote = 0; vote < body.many; vote += 1)
        saga.append('votes', { by: body.by + vote, text: body.text ?? '' });
    },
    async Counted({ body }, { saga }) {
      const votes = await saga.collect<{ by: number }>('votes', { atLeast: body.atLeast });
      if (votes === undefined) return;
      saga.state.voters.push(...votes.values.map(({ by }) => by));
      saga.state.commits += 1;
      saga.state.isComplete = !votes.hasMore;
    },
    async Dropped(_message, { saga }) {
      await saga.collect('votes');
    },
    Closed(_message, { saga }) {
      saga.complete();
    },
  },
});

let locking: Locking;
let table: string;
let queue: string;
let reports: MessageReport[];
const observer = dynamoDBClient();

beforeEach(async () => {
  [table, queue] = await Promise.all([createTable(), createQueue()]);
  reports = [];
});

/** In a function of its own. */
async function deliver(
  records: readonly SQSRecord[],
  client = dynamoDBClient(),
  overrides: Partial<CreateHandlerOptions> = {},
): Promise<string[]> {
  return await returnedIds(pollSaga, table, records, {
    endpoint: 'polls',
    destinations: { polls: queue },
    dynamoDBClient: client,
    sqsClient: sqsClient(),
    locking,
    onMessage: (report) => void reports.push(report),
    ...overrides,
  });
}

async function saga() {
  const Key = { PK: { S: 'SAGA#Poll#1' }, SK: { S: 'SAGA' } };
  const { Item } = await observer.send(new GetItemCommand({ TableName: table, Key, ConsistentRead: true }));
  return Item && unmarshall(Item);
}

async function contributions(): Promise<number> {
  const { Items = [] } = await observer.send(new ScanCommand({ TableName: table, ConsistentRead: true }));
  return Items.filter(({ SK }) => SK?.S?.startsWith('APPEND#')).length;
}

const vote = (by: number, text?: string) =>
  record('Voted', { poll: '1', by, ...(text && { text }) }, `vote-${by}`);
const votes = (from: number, to: number) =>
  Array.from({ length: to - from }, (_, index) => vote(from + index));

async function deliverOwn(): Promise<void> {
  const records = await receiveRecords(sqsClient(), queue);
  if (records.length === 0) return;
  expect(await deliver(records)).toEqual([]);
  await acknowledge(sqsClient(), queue, records);
  await deliverOwn();
}

describe.each(modes)('I2, I4, I5: appended values in $name mode', (mode) => {
  beforeEach(() => {
    locking = mode.locking;
  });

  it('conflict with nobody, 100 of 4 functions, and leave the saga as it is until they are collected', async () => {
    await deliver([record('Opened', { poll: '1' })]);
    const before = await saga();
    reports = [];
    const worker = async (first: number) => {
      // The last batch of each is delivered twice.
      for (const from of [first, first + 10, first + 15]) {
        expect(await deliver(votes(from, Math.min(from + 10, first + 25)))).toEqual([]);
      }
    };
    await Promise.all(Array.from({ length: 4 }, (_, index) => worker(index * 25)));

    expect(reports.filter(({ outcome }) => outcome === 'failed')).toEqual([]);
    const handled = reports.filter(({ outcome }) => outcome === 'handled');
    expect(handled).toHaveLength(100);
    expect(
      Math.max(...handled.map(({ deliveryCapacity }) => deliveryCapacity.writeUnits)),
    ).toBeLessThanOrEqual(5);
    const writeUnits = reports.reduce((sum, { capacity }) => sum + capacity.writeUnits, 0);
    expect(writeUnits / 100).toBe(4);
    expect(await saga()).toEqual(before);
    expect(await contributions()).toBe(100);

    reports = [];
    expect(await deliver([record('Counted', { poll: '1', atLeast: 101 })])).toEqual([]);
    expect(await saga()).toEqual(before);
    expect(await deliver([record('Counted', { poll: '1', atLeast: 100 })])).toEqual([]);
    await deliverOwn();
    const { state } = (await saga()) ?? {};
    expect(state).toMatchObject({ commits: 2, isComplete: true });
    expect(state.voters.toSorted((a: number, b: number) => a - b)).toEqual(
      Array.from({ length: 100 }, (_, by) => by),
    );
    expect(await contributions()).toBe(0);
  });

  it('are collected by consistent reads, in a commit for each message that collects', async () => {
    await deliver([record('Opened', { poll: '1' })]);
    const client = dynamoDBClient();
    const faults = new ClientFaults(client);
    await deliver(votes(0, 3), client);
    const counts = ['a', 'b'].map((id) => record('Counted', { poll: '1', atLeast: 0 }, id));
    const reads = faults.requests.filter(({ operation }) => operation === 'BatchGetItem');
    expect(new Set(reads.map(({ input }) => input.RequestItems[table].ConsistentRead))).toEqual(
      new Set([true]),
    );
    faults.reset();
    expect(await deliver(counts, client)).toEqual([]);
    const queries = faults.requests.filter(({ operation }) => operation === 'Query');
    expect(queries.map(({ input }) => input.ConsistentRead)).toEqual([true, true]);
    expect(faults.operations.filter((operation) => operation === 'TransactWriteItems')).toHaveLength(2);
    expect((await saga())?.state).toMatchObject({ voters: [0, 1, 2], commits: 2 });
  });

  it('are not kept when their message finds no saga', async () => {
    expect(await deliver(votes(0, 2))).toEqual([]);
    expect(reports.map(({ outcome }) => outcome)).toEqual(['discarded', 'discarded']);
    await deliver([record('Opened', { poll: '1' })]);
    expect(await deliver(votes(0, 2))).toEqual([]);
    expect(await contributions()).toBe(0);
  });
});

/** Eventual mode appends and collects as optimistic mode does. */
const consistent = cells(modes, ({ name }) => name !== 'eventual');

describe.each(consistent)('I2, I3, I4: appended values in $name mode', (mode) => {
  beforeEach(() => {
    locking = mode.locking;
  });

  it.each([
    ['standard', {}],
    ['FIFO', { FifoQueue: 'true' }],
  ])(
    'are all collected when a function dies between its commit and its sends, on a %s queue',
    async (_type, attributes) => {
      queue = await createQueue(attributes);
      await deliver([record('Opened', { poll: '1' }), record('Voted', { poll: '1', by: 0, many: 91 })]);
      const sending = sqsClient();
      new ClientFaults(sending).fail('SendMessageBatch', new Error('The function is gone'), 10);
      const count = [record('Counted', { poll: '1', atLeast: 91 }, 'count')];
      const dying = { sqsClient: sending, recoverability: { immediateRetries: { maxRetries: 0 } } };
      expect(await deliver(count, undefined, dying)).toHaveLength(1);
      expect((await saga())?.state).toMatchObject({ commits: 1, isComplete: false });
      expect(await deliver(count)).toEqual([]);
      await deliverOwn();
      expect((await saga())?.state).toMatchObject({ commits: 2, isComplete: true });
      expect(new Set((await saga())?.state.voters).size).toBe(91);
    },
  );

  it('are collected once each by handlers that run at the same time', async () => {
    await deliver([record('Opened', { poll: '1' }), ...votes(0, 8)]);
    await Promise.all(
      ['a', 'b', 'c'].map((id) => deliver([record('Counted', { poll: '1', atLeast: 0 }, id)])),
    );
    expect((await saga())?.state.voters).toHaveLength(8);
  });

  it('are not collected again when a read finds them beside the commit that deletes them', async () => {
    await deliver([record('Opened', { poll: '1' }), ...votes(0, 2)]);
    const client = dynamoDBClient();
    const faults = new ClientFaults(client);
    let deleted: unknown;
    faults.plan('Query', async (_input, proceed) => (deleted = await proceed()));
    faults.plan('Query', () => deleted);
    for (const id of ['a', 'b'])
      expect(await deliver([record('Counted', { poll: '1', atLeast: 0 }, id)], client)).toEqual([]);
    expect((await saga())?.state).toMatchObject({ voters: [0, 1], commits: 2 });
    const failed = reports.filter(({ outcome }) => outcome === 'failed');
    expect(failed).toMatchObject([{ messageId: 'b', error: { code: 'SagaConcurrency' } }]);
  });

  it('are collected by a later message of the batch that appends them', async () => {
    const Records = [
      record('Opened', { poll: '1' }),
      ...votes(0, 3),
      record('Counted', { poll: '1', atLeast: 3 }),
      ...votes(3, 5),
      record('Counted', { poll: '1', atLeast: 2 }),
    ];
    expect(await deliver(Records)).toEqual([]);
    expect((await saga())?.state).toMatchObject({ voters: [0, 1, 2, 3, 4], commits: 2 });
  });

  it('raise the version of the saga when they are collected, also if its state stays as it is', async () => {
    await deliver([record('Opened', { poll: '1' }), ...votes(0, 1)]);
    for (const version of [2, 2]) {
      await deliver([record('Dropped', { poll: '1' })]);
      expect((await saga())?.version).toBe(version);
    }
    expect(await contributions()).toBe(0);
  });

  it('are appended and collected once when the answer to the commit gets lost', async () => {
    await deliver([record('Opened', { poll: '1' })]);
    for (const records of [votes(0, 1), [record('Counted', { poll: '1', atLeast: 1 })]]) {
      const client = dynamoDBClient();
      new ClientFaults(client).loseAnswer('TransactWriteItems');
      expect(await deliver(records, client)).toEqual([]);
    }
    expect((await saga())?.state.voters).toEqual([0]);
    expect(await contributions()).toBe(0);
  });

  it('expire unread when the saga ends while they are appended', async () => {
    await deliver([record('Opened', { poll: '1' })]);
    const client = dynamoDBClient();
    new ClientFaults(client).plan('TransactWriteItems', async (_input, proceed) => {
      await deliver([record('Closed', { poll: '1' })]);
      await deliver([record('Opened', { poll: '1' })]);
      return await proceed();
    });
    expect(await deliver(votes(0, 1), client)).toEqual([]);
    await deliver([record('Counted', { poll: '1', atLeast: 0 })]);
    expect((await saga())?.state.voters).toEqual([]);
    const { Items = [] } = await observer.send(new ScanCommand({ TableName: table }));
    const left = Items.filter(({ SK }) => SK?.S?.startsWith('APPEND#'));
    const days = (Number(left[0]?.ExpiresAt?.N) - Date.now() / 1000) / 86_400;
    expect([left.length, Math.round(days)]).toEqual([1, 90]);
  });

  it('are refused over the 400 KB of an item, without loss of the others', async () => {
    await deliver([record('Opened', { poll: '1' })]);
    expect(await deliver([vote(1, 'x'.repeat(410_000)), vote(2)])).toHaveLength(1);
    expect(reports.at(-1)?.outcome === 'failed' || reports.at(-2)?.outcome === 'failed').toBe(true);
    expect(reports.flatMap(({ error }) => (error ? [error] : []))).toMatchObject([{ code: 'ItemTooLarge' }]);
    expect(await contributions()).toBe(1);
  });
});

import { beforeEach, describe, expect, it } from '@jest/globals';
import type { SQSRecord } from 'aws-lambda';
import {
  type CreateHandlerOptions,
  createHandler,
  defineHandlers,
  defineSaga,
  type MessageReport,
} from 'sagabox';
import { z } from 'zod';
import type { SagaOutboxForm } from '../../lib/saga/definition/outbox-form.ts';
import { silentLogger } from '../../lib/testing/silent-logger.ts';
import { createTable, dynamoDBClient, sqsClient } from '../support/engines.ts';
import { outboxOfForm } from '../support/outbox-of-form.ts';
import { record } from '../support/queue.ts';
import { modes } from './modes.ts';

let tableName: string;
let reports: MessageReport[];
/** Handlers that run, and how many did so at most at one time. */
let runs: { now: number; most: number; started: string[] };

beforeEach(async () => {
  tableName = await createTable();
  reports = [];
  runs = { now: 0, most: 0, started: [] };
});

/** Gives way to whatever else could run. */
async function handle({ id }: { readonly id: string }): Promise<void> {
  runs.started.push(id);
  runs.now += 1;
  runs.most = Math.max(runs.most, runs.now);
  for (let turn = 0; turn < 20; turn += 1) await new Promise(setImmediate);
  runs.now -= 1;
}

const messages = { Counted: z.object({ counter: z.string() }) };
const handlers = defineHandlers({ messages, handlers: { Counted: handle } });
const sagaWith = (form: SagaOutboxForm) =>
  defineSaga({
    name: 'Counter',
    outbox: outboxOfForm(form),
    messages,
    correlate: { Counted: ({ counter }) => counter },
    startedBy: ['Counted'],
    initialState: () => ({ count: 0 }),
    handlers: {
      async Counted(message, { saga }) {
        await handle(message);
        saga.state.count += 1;
      },
    },
  });

async function deliver(
  definition: Parameters<typeof createHandler>[0],
  records: readonly SQSRecord[],
  options: CreateHandlerOptions = {},
): Promise<unknown> {
  const handler = createHandler(definition as never, {
    endpoint: 'counters',
    throwOnFullBatchFailure: false,
    sagaTable: { tableName },
    outboxTable: { tableName },
    dynamoDBClient: dynamoDBClient(),
    sqsClient: sqsClient(),
    logger: silentLogger,
    onMessage: (report) => void reports.push(report),
    recoverability: { immediateRetries: { maxRetries: 0 } },
    ...options,
  });
  return await handler({ Records: [...records] });
}

/** The same message twice, under two ids of SQS, and one of another saga behind them. */
const copies = ['m-1', 'm-1', 'm-2'];
const toRecord = (id: string) => record('Counted', { counter: id }, id);
const ofGroup = (group: string) => (each: SQSRecord) => ({
  ...each,
  eventSourceARN: `${each.eventSourceARN}.fifo`,
  attributes: { ...each.attributes, MessageGroupId: group },
});
const queues: Record<string, () => SQSRecord[]> = {
  'a standard queue': () => copies.map(toRecord),
  'a standard queue, under one id of SQS': () =>
    copies.map((id) => ({ ...toRecord(id), messageId: `sqs ${id}` })),
  'a FIFO group': () => copies.map(toRecord).map(ofGroup('a')),
  'two FIFO groups': () => copies.map(toRecord).map((each, index) => ofGroup(`${index % 2}`)(each)),
};
const definitions: Record<string, () => Parameters<typeof createHandler>[0]> = {
  handlers: () => handlers as never,
  'a saga': () => sagaWith('records') as never,
  'a saga with an embedded outbox': () => sagaWith('embedded') as never,
  'a saga on the way between the two': () => sagaWith('both') as never,
};
const locks = modes.flatMap(({ name, locking }) =>
  Object.keys(definitions).flatMap((definition) =>
    Object.keys(queues).map((queue) => [definition, name, queue, { locking }] as const),
  ),
);

describe('I2: a message that is twice in a batch', () => {
  it.each(locks)(
    'for %s, %s, from %s, is handled once, and then a duplicate',
    async (definition, _mode, queue, locking) => {
      const records = queues[queue]?.() ?? [];
      expect(await deliver(definitions[definition]?.() as never, records, locking)).toEqual({
        batchItemFailures: [],
      });
      expect(runs.started.toSorted()).toEqual(['m-1', 'm-2']);
      const outcomes = reports.map(({ messageId, outcome }) => `${messageId} ${outcome}`);
      expect(outcomes.toSorted()).toEqual(['m-1 duplicate', 'm-1 handled', 'm-2 handled']);
    },
  );

  it('is handled after the first one has failed, and never beside it', async () => {
    let failures = 1;
    const failing = defineHandlers({
      messages,
      handlers: {
        async Counted(message) {
          await handle(message);
          if (failures-- > 0) throw new Error('a bug');
        },
      },
    });
    const records = ['m-1', 'm-1'].map(toRecord);
    expect(await deliver(failing as never, records)).toEqual({
      batchItemFailures: [{ itemIdentifier: records[0]?.messageId }],
    });
    expect(runs).toMatchObject({ started: ['m-1', 'm-1'], most: 1 });
    expect(reports.map(({ outcome }) => outcome)).toEqual(['failed', 'handled']);
  });

  it('is returned untouched when there is no time left behind the first one', async () => {
    let leftMs = 30_000;
    const spendTime = async () => {
      leftMs = 10;
    };
    const slow = defineHandlers({ messages, handlers: { Counted: spendTime } });
    const records = ['m-1', 'm-1'].map(toRecord);
    const handler = createHandler(slow, {
      endpoint: 'counters',
      outboxTable: { tableName },
      dynamoDBClient: dynamoDBClient(),
      sqsClient: sqsClient(),
      logger: silentLogger,
      onMessage: (report) => void reports.push(report),
    });
    const context = { getRemainingTimeInMillis: () => leftMs };
    const { batchItemFailures } = await handler({ Records: records }, context as never);
    expect(batchItemFailures.map(({ itemIdentifier }) => itemIdentifier)).toContain(records[1]?.messageId);
    expect(reports.map(({ outcome }) => outcome)).not.toContain('duplicate');
  });
});

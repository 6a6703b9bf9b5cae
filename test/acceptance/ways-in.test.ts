import { ScanCommand } from '@aws-sdk/client-dynamodb';
import { ChangeMessageVisibilityBatchCommand } from '@aws-sdk/client-sqs';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import { beforeEach, describe, expect, it } from '@jest/globals';
import type { Context, SQSRecord } from 'aws-lambda';
import { type CreateHandlerOptions, createHandler, defineSaga, type MessageReport } from 'sagabox';
import { z } from 'zod';
import { redrive } from '../../lib/cli/redrive/redrive.ts';
import { silentLogger } from '../../lib/testing/silent-logger.ts';
import { commandIo } from '../support/command-io.ts';
import { createQueue, createTable, dynamoDBClient, sqsClient } from '../support/engines.ts';
import { receiveRecords, sendTo } from '../support/received-records.ts';
import { type FedQueue, fedQueue } from './fed-queue.ts';

const [dynamoDB, sqs] = [dynamoDBClient(), sqsClient()];
let queue: FedQueue;

beforeEach(async () => {
  queue = await fedQueue(sqs);
});

/** Keeps, for each note, the ids of the messages that it was told by. */
const notebook = defineSaga({
  name: 'Notebook',
  messages: { Noted: z.strictObject({ note: z.string() }) },
  correlate: { Noted: ({ note }) => note },
  startedBy: ['Noted'],
  initialState: (): { note: string; ids: string[] } => ({ note: '', ids: [] }),
  handlers: {
    Noted({ id, body }, { saga }) {
      saga.state.note = body.note;
      saga.state.ids.push(id);
    },
  },
});

const parse = ({ body }: SQSRecord) => {
  const [format, id, note] = body.split(';');
  return format === 'NOTE' ? { id: `note-${id}`, type: 'Noted', body: { note } } : undefined;
};

describe('I2: an endpoint whose queue is fed on every way', () => {
  const reports: MessageReport[] = [];
  let tableName: string;
  let expectedIds: Record<string, string | undefined>;
  let received: SQSRecord[];

  beforeEach(async () => {
    tableName = await createTable();
    expectedIds = {};
    for (const [note, { send }] of Object.entries(queue.ways)) expectedIds[note] = await send(note);
    received = await receiveAll();
    await deliver(received);
  });

  async function receiveAll(): Promise<SQSRecord[]> {
    const all: SQSRecord[] = [];
    for (;;) {
      const records = await receiveRecords(sqs, queue.queueUrl);
      if (records.length === 0) return all;
      all.push(...records);
    }
  }

  const sqsId = (note: string) => {
    return received.find(({ body }) => body === JSON.stringify({ note }))?.messageId;
  };

  async function deliver(
    records: readonly SQSRecord[],
    options: CreateHandlerOptions = {},
    context: Partial<Context> = {},
  ): Promise<void> {
    reports.length = 0;
    const handler = createHandler(notebook, {
      throwOnFullBatchFailure: false,
      endpoint: 'notes',
      sagaTable: { tableName },
      outboxTable: { tableName },
      defaultMessageType: 'Noted',
      parse,
      dynamoDBClient: dynamoDB,
      sqsClient: sqs,
      logger: silentLogger,
      onMessage: (report) => void reports.push(report),
      ...options,
    });
    expect(await handler({ Records: records }, context as Context)).toEqual({ batchItemFailures: [] });
  }

  async function notedIds(): Promise<Record<string, string[]>> {
    const { Items = [] } = await dynamoDB.send(
      new ScanCommand({ TableName: tableName, ConsistentRead: true }),
    );
    const states = Items.flatMap(({ state }) => (state?.M ? [unmarshall(state.M)] : []));
    return Object.fromEntries(states.map(({ note, ids }) => [note, ids]));
  }

  it('applies each message once, by its id', async () => {
    expect(received).toHaveLength(Object.values(queue.ways).reduce((sum, { copies }) => sum + copies, 0));
    const once = Object.entries(expectedIds).map(([note, id]) => [note, [id ?? sqsId(note)]] as const);
    expect(await notedIds()).toEqual(Object.fromEntries(once));
  });

  it('knows all of them when SQS delivers them again', async () => {
    for (let start = 0; start < received.length; start += 10) {
      const Entries = received.slice(start, start + 10).map(({ receiptHandle }, index) => {
        return { Id: String(index), ReceiptHandle: receiptHandle, VisibilityTimeout: 0 };
      });
      await sqs.send(new ChangeMessageVisibilityBatchCommand({ QueueUrl: queue.queueUrl, Entries }));
    }
    const again = await receiveAll();
    expect(messageIds(again)).toEqual(messageIds(received));

    await deliver(again);
    expect(reports.map(({ outcome }) => outcome)).toEqual(again.map(() => 'duplicate'));
  });

  it('knows all of them when they come back from the error queue, where they went unread', async () => {
    const errorQueueUrl = await createQueue();
    const remainingMs = [100_000];
    const tooLate = { getRemainingTimeInMillis: () => remainingMs.pop() ?? 15_000 };
    const options = { errorQueueUrl, maxReceiveCount: 1, timeMargins: { start: { milliseconds: 20_000 } } };
    await deliver(received, options, tooLate);
    expect(reports).toEqual([]);

    await redriveFrom(errorQueueUrl);
    const again = await receiveAll();
    await deliver(again);
    // Of copies that failed, a run brings back one.
    expect(again).toHaveLength(Object.keys(queue.ways).length);
    expect(reports.map(({ outcome }) => outcome)).toEqual(again.map(() => 'duplicate'));
  });

  it.each<[string, () => Promise<void>]>([
    ['the redrive of SQS', async () => await sendAnew(queue.queueUrl)],
    [
      'sagabox redrive, of a dead letter queue',
      async () => {
        const deadLetters = await createQueue();
        await sendAnew(deadLetters);
        await redriveFrom(deadLetters);
      },
    ],
  ])('knows those with an id of their own under a new SQS id too, after %s', async (_case, moveAll) => {
    await moveAll();
    await deliver(await receiveAll());

    const times = Object.entries(await notedIds()).map(([note, ids]) => [note, ids.length] as const);
    const expected = Object.entries(queue.ways).map(
      ([note, way]) => [note, way.losesIdInRedrive ? 2 : 1] as const,
    );
    expect(Object.fromEntries(times)).toEqual(Object.fromEntries(expected));
  });

  async function sendAnew(toUrl: string): Promise<void> {
    for (const { body, messageAttributes } of received) {
      const attributes = Object.entries(messageAttributes).map(
        ([name, { stringValue = '' }]) => [name, { DataType: 'String', StringValue: stringValue }] as const,
      );
      await sendTo(sqs, toUrl, { body, attributes: Object.fromEntries(attributes) });
    }
  }

  async function redriveFrom(from: string): Promise<void> {
    const result = await redrive(sqs, { from, to: queue.queueUrl, max: 1000 }, commandIo().io, 0);
    expect(result.failed).toBe(false);
  }
});

function messageIds(records: readonly SQSRecord[]): string[] {
  return records.map(({ messageId }) => messageId).toSorted();
}

import { beforeEach, describe, expect, it } from '@jest/globals';
import type { SQSRecord } from 'aws-lambda';
import { type CreateHandlerOptions, createHandler, defineHandlers, type MessageReport } from 'sagabox';
import { sqsRecord } from 'sagabox/testing';
import { z } from 'zod';
import { silentLogger } from '../../lib/testing/silent-logger.ts';
import { createTable, dynamoDBClient, sqsClient } from '../support/engines.ts';

let tableName: string;
let reports: MessageReport[];
let handled: string[];
let warnings: { message: string; fields: Record<string, unknown> }[];

beforeEach(async () => {
  tableName = await createTable();
  [reports, handled, warnings] = [[], [], []];
});

const notes = defineHandlers({
  messages: { Noted: z.object({ note: z.string() }) },
  handlers: { Noted: ({ id }) => void handled.push(id) },
});

/** @returns how each record ended */
async function deliver(
  records: readonly SQSRecord[],
  options: Pick<CreateHandlerOptions, 'handleReplays' | 'parse'> = {},
): Promise<string[]> {
  reports.length = 0;
  const handler = createHandler(notes, {
    endpoint: 'notes',
    outboxTable: { tableName },
    dynamoDBClient: dynamoDBClient(),
    sqsClient: sqsClient(),
    onMessage: (report) => void reports.push(report),
    logger: { ...silentLogger, warn: (message, fields) => void warnings.push({ message, fields }) },
    ...options,
  });
  expect(await handler({ Records: [...records] })).toEqual({ batchItemFailures: [] });
  return reports.map(({ outcome }) => outcome);
}

const eventFields = {
  version: '0',
  'detail-type': 'Noted',
  account: '123456789012',
  time: '2026-02-03T04:05:06Z',
  region: 'us-east-1',
  resources: [],
};
const own = (id: string) => ({ 'Sagabox.MessageId': id, 'Sagabox.ReplyTo': 'shop' });
const cloudEvent = { specversion: '1.0', id: 'A-1', source: 'urn:shop', type: 'Noted', data: { note: 'c' } };
const events = [
  { ...eventFields, id: 'e-1', source: 'shop', detail: { note: 'a' } },
  { ...eventFields, id: 'e-2', source: 'sagabox.shop', detail: { note: 'b', sagabox: own('m-1') } },
  { ...eventFields, id: 'e-3', source: 'shop', detail: cloudEvent },
];
const ids = ['e-1', 'm-1', '123456789012#shop#urn:shop#A-1'];

/** As the replay of an archive puts them again: with their ids. */
const replayed = (name: string) =>
  events.map((event) => sqsRecord({ body: { ...event, 'replay-name': name } }));
const archived = () => events.map((body) => sqsRecord({ body }));

describe('I2: a replay of an archive of EventBridge', () => {
  it('holds duplicates of what was handled, and the log tells that once in an invocation', async () => {
    expect(await deliver(archived())).toEqual(['handled', 'handled', 'handled']);
    expect(warnings).toEqual([]);

    expect(await deliver(replayed('repair'))).toEqual(['duplicate', 'duplicate', 'duplicate']);
    expect(handled.toSorted()).toEqual(ids.toSorted());
    expect(warnings).toMatchObject([
      {
        message: expect.stringContaining('handleReplays'),
        fields: { replayName: 'repair', endpoint: 'notes' },
      },
    ]);
    await deliver(replayed('repair'));
    expect(warnings).toHaveLength(2);
  });

  it('is handled without a warning where its events were not', async () => {
    expect(await deliver(replayed('repair'))).toEqual(['handled', 'handled', 'handled']);
    expect(await deliver(archived())).toEqual(['duplicate', 'duplicate', 'duplicate']);
    expect(warnings).toEqual([]);
  });

  it('is handled once for each name with handleReplays', async () => {
    const options = { handleReplays: true };
    await deliver(archived(), options);
    for (const name of ['repair', 'again#']) {
      expect(await deliver(replayed(name), options)).toEqual(['handled', 'handled', 'handled']);
      expect(await deliver(replayed(name), options)).toEqual(['duplicate', 'duplicate', 'duplicate']);
    }
    expect(await deliver(archived(), options)).toEqual(['duplicate', 'duplicate', 'duplicate']);
    expect(handled).toContain('repair#m-1');
    expect(handled).toContain('again%23#e-1');
    expect(warnings).toEqual([]);
  });

  it('keeps its ids on its way through an error queue', async () => {
    const options = { handleReplays: true };
    const [first] = replayed('repair');
    if (first === undefined) throw new Error('there is no event');
    await deliver([first], options);
    for (const id of ['e-1', 'repair#e-1']) {
      const { messageAttributes } = sqsRecord({ id });
      expect(await deliver([{ ...first, messageAttributes }], options)).toEqual(['duplicate']);
    }
  });

  it.each([true, false])('has the ids that a parser gives, with handleReplays %s', async (handleReplays) => {
    const parse = ({ body }: SQSRecord) => {
      const { id, detail, 'replay-name': name = '' } = JSON.parse(body);
      return { id: `${name} ${id}`, body: { note: detail.note ?? '' } };
    };
    const options = { handleReplays, parse };
    await deliver(archived(), options);
    expect(await deliver(replayed('repair'), options)).toEqual(['handled', 'handled', 'handled']);
    expect(await deliver(replayed('repair'), options)).toEqual(['duplicate', 'duplicate', 'duplicate']);
    expect(handled).toContain('repair e-2');
    expect(warnings).toEqual([]);
  });
});

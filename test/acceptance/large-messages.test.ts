import type { TransactWriteItemsCommandInput } from '@aws-sdk/client-dynamodb';
import { ReceiveMessageCommand } from '@aws-sdk/client-sqs';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { defineSaga, type SagaboxError, type SagaHandlerContext } from 'sagabox';
import { z } from 'zod';
import { outgoingMessageId } from '../../lib/messages/message-id.ts';
import { SAGA_VERSION_PLACE } from '../../lib/sending/saga-version.ts';
import { userPut } from '../support/commits.ts';
import { createQueue, createTable, dynamoDBClient, sqsClient } from '../support/engines.ts';
import { ClientFaults, sqsError } from '../support/faults.ts';
import { drain, record } from '../support/queue.ts';
import { denseText, randomText } from '../support/random-text.ts';
import { allItems } from '../support/raw-items.ts';
import { returnedIds } from '../support/returned-ids.ts';
import { cells } from '../support/samples.ts';

const dynamoDB = dynamoDBClient();
const sqs = sqsClient();
const writes = new ClientFaults(dynamoDB);
const sends = new ClientFaults(sqs);

type Context = SagaHandlerContext<{ reports: number }>;

const incomingId = '5f0c6a35-5b0e-4c6c-9a51-0d6a4a4f6a11';
const kilobytes = 1024;
const messageBytes = 1024 * 1024;

let tableName: string;
let queueUrl: string;

beforeEach(async () => {
  tableName = await createTable();
  queueUrl = await createQueue();
  writes.reset();
  sends.reset();
});

/** One message to an endpoint whose handler does what is given. @returns the error that it failed with */
async function deliver(run: (context: Context) => void): Promise<SagaboxError | undefined> {
  const saga = defineSaga({
    name: 'Reporting',
    messages: { PendingRequest: z.object({ id: z.string() }) },
    correlate: { PendingRequest: (body) => body.id },
    startedBy: ['PendingRequest'],
    initialState: () => ({ reports: 0 }),
    handlers: {
      PendingRequest(_message, context) {
        context.saga.state.reports += 1;
        run(context);
      },
    },
  });
  let failure: unknown;
  const returned = await returnedIds(saga, tableName, [record('PendingRequest', { id: '7' }, incomingId)], {
    endpoint: 'reporting',
    // The same queue; of the second nothing is known but its address.
    destinations: { archive: { address: queueUrl, maxMessageSizeBytes: messageBytes }, unknown: queueUrl },
    dynamoDBClient: dynamoDB,
    sqsClient: sqs,
    onMessage: ({ error }) => {
      failure = error;
    },
  });
  expect(returned).toHaveLength(failure === undefined ? 0 : 1);
  return failure as SagaboxError | undefined;
}

const sendAll =
  (bodies: readonly unknown[]) =>
  ({ send }: Context) => {
    for (const body of bodies) send('archive', 'Report', body);
  };

const bodiesOf = (count: number, text: (index: number) => string) =>
  Array.from({ length: count }, (_, index) => ({ index, text: text(index) }));

describe('I1, I3: what one handler sends', () => {
  /** In `npm test`, as few as show the same: each ten of them take two calls, and a text its time to compress. */
  const loads: [string, number, number, (index: number) => string][] = [
    ['1 message', 1, 0, () => 'short'],
    ['100 messages', 100, 0, () => 'short'],
    ['500 messages', 500, 0, () => 'short'],
    ['60 messages that need chunks', 60, 3, (index) => randomText(17_000, index)],
    ['500 messages that need chunks', 500, 3, (index) => randomText(2000, index)],
    ['15 messages of 300 KB that compress well', 15, 0, (index) => String(index).repeat(150 * kilobytes)],
    [
      '15 messages of 300 KB that do not compress well',
      15,
      11,
      (index) => randomText(300 * kilobytes, index),
    ],
  ];
  const few = cells(loads, ([, count, chunks]) => count <= 100 && chunks <= 3);

  it.each(few)('arrives whole: %s', async (_case, count, chunks, text) => {
    const bodies = bodiesOf(count, text);
    expect(await deliver(sendAll(bodies))).toBeUndefined();

    expect(chunksWritten()).toBe(chunks);
    expect(await expectArrived(bodies)).toBe(count);
    const items = await allItems(dynamoDB, tableName);
    expect(items.map((item) => [item.SK?.S, item.dispatched?.BOOL])).toEqual([
      ['RECORD', true],
      ['SAGA', undefined],
    ]);
  });

  it('arrives from the stored chunks, with the same ids, when it could not be sent at first', async () => {
    const bodies = bodiesOf(60, (index) => randomText(17_000, index));
    sends.fail('SendMessageBatch', sqsError('AccessDenied'));
    expect((await deliver(sendAll(bodies)))?.code).toBe('DispatchRefused');
    expect(chunksWritten()).toBe(3);

    const error = await deliver(() => {
      throw new Error('The handler runs again');
    });
    expect(error).toBeUndefined();
    await expectArrived(bodies);
  });

  it('is committed in one transaction of 100: 100 messages beside 98 writes of the handler', async () => {
    const bodies = bodiesOf(100, () => 'short');
    const error = await deliver((context) => {
      sendAll(bodies)(context);
      for (let id = 0; id < 98; id += 1) context.transaction.add(userPut(tableName, `USER#${id}`));
    });
    expect(error).toBeUndefined();
    expect(await drain(sqs, queueUrl)).toHaveLength(100);
  });
});

describe('I1, I3: what is over a limit', () => {
  const loads: [string, string, RegExp, (context: Context) => void][] = [
    [
      '15 messages of 300 KB that do not compress',
      'TransactionLimit',
      /bytes exceed the 4194304 of one transaction/,
      (context) => sendAll(bodiesOf(15, (index) => denseText(300 * kilobytes, index)))(context),
    ],
    [
      'more than can be read back, though it would compress to nothing',
      'TransactionLimit',
      /bytes of outgoing messages, before compression, exceed the 16777216/,
      (context) => sendAll(bodiesOf(17, () => 'x'.repeat(1_000_000)))(context),
    ],
    [
      'a record with two chunks beside 97 writes of the handler',
      'TransactionLimit',
      /101 writes \(97 added by the handler, 4 by sagabox\) exceed the 100/,
      (context) => {
        sendAll(bodiesOf(1, () => randomText(450 * kilobytes)))(context);
        for (let id = 0; id < 97; id += 1) context.transaction.add(userPut(tableName, `USER#${id}`));
      },
    ],
  ];

  // A text that compression takes nothing off takes a second to make and to compress.
  it.each(cells(loads, ([load]) => !load.endsWith('do not compress')))(
    'is refused before anything is written or sent: %s',
    async (_case, code, message, run) => {
      const error = await deliver(run);
      expect(error?.code).toBe(code);
      expect(error?.message).toMatch(message);
      await expectNothingDone();
    },
  );
});

describe('I3: a message over 256 KiB to a queue of which nothing is known', () => {
  it('is refused at send, rather than committed and never taken', async () => {
    const body = 'x'.repeat(300 * kilobytes);
    const error = await deliver(({ send }) => send('unknown', 'Report', body));
    expect(error?.code).toBe('InvalidOutgoingMessage');
    expect(error?.message).toMatch(
      /over the 262144 that 'unknown' takes: .* claim check, or state the 'maxMessageSizeBytes'/,
    );
    await expectNothingDone();
    expect(await deliver(({ send }) => send('archive', 'Report', body))).toBeUndefined();
  });
});

describe('I3: a body of about 1 MiB, which SQS counts together with the attributes', () => {
  /** A message is held to the limit with the longest version of its saga; this one is of the first. */
  const reservedBytes = SAGA_VERSION_PLACE.length - '1.0'.length;

  /** As SQS counts: name, type and value of each attribute. They are as long in each message of one type. */
  async function attributeBytes(): Promise<number> {
    await deliver(({ send }) => send('archive', 'Report', ''));
    const command = new ReceiveMessageCommand({ QueueUrl: queueUrl, MessageAttributeNames: ['All'] });
    const attributes = (await sqs.send(command)).Messages?.[0]?.MessageAttributes ?? {};
    const texts = Object.entries(attributes).flatMap(([name, { DataType = '', StringValue = '' }]) => {
      return [name, DataType, StringValue];
    });
    expect(texts).not.toEqual([]);
    return Buffer.byteLength(texts.join('')) + reservedBytes;
  }

  async function bodyOfMessage(bytes: number): Promise<string> {
    const body = 'x'.repeat(bytes - (await attributeBytes()) - '""'.length);
    tableName = await createTable();
    queueUrl = await createQueue();
    writes.reset();
    sends.reset();
    return body;
  }

  it.each([messageBytes - 1, messageBytes])('arrives whole in a message of %i bytes', async (bytes) => {
    const body = await bodyOfMessage(bytes);
    expect(await deliver(({ send }) => send('archive', 'Report', body))).toBeUndefined();
    const id = outgoingMessageId(incomingId, 'reporting', 0);
    expect(await drain(sqs, queueUrl)).toEqual([{ id, type: 'Report', body }]);
  });

  it('is refused at send in a message of one byte more', async () => {
    const body = await bodyOfMessage(messageBytes + 1);
    const error = await deliver(({ send }) => {
      expect(() => send('archive', 'Report', body)).toThrow(
        expect.objectContaining({ code: 'InvalidOutgoingMessage' }),
      );
      send('archive', 'Report', body);
    });
    expect(error?.code).toBe('InvalidOutgoingMessage');
    expect(error?.message).toContain('it takes 1048577 bytes, over the 1048576 of SQS');
    await expectNothingDone();
  });
});

function chunksWritten(): number {
  const transactions = writes.requests.filter(({ operation }) => operation === 'TransactWriteItems');
  const items = transactions.flatMap(
    ({ input }) => (input as TransactWriteItemsCommandInput).TransactItems ?? [],
  );
  return items.filter(({ Put }) => Put?.Item?.SK?.S?.startsWith('CHUNK#')).length;
}

/**
 * Every message, at least once, as it was sent and with the id that follows from its place. @returns how many
 * copies came
 */
async function expectArrived(bodies: readonly { index: number }[]): Promise<number> {
  const arrived = await drain(sqs, queueUrl);
  const byId = new Map(arrived.map((message) => [message.id, message]));
  const expected = bodies.map((body) => {
    return { id: outgoingMessageId(incomingId, 'reporting', body.index), type: 'Report', body };
  });
  expect(expected.map(({ id }) => byId.get(id))).toEqual(expected);
  expect(byId.size).toBe(bodies.length);
  return arrived.length;
}

async function expectNothingDone(): Promise<void> {
  // Reads for the dedup check and the saga; nothing else.
  expect(writes.operations.filter((operation) => !/^(Get|BatchGet)/.test(operation))).toEqual([]);
  expect(sends.operations.filter((operation) => operation.startsWith('Send'))).toEqual([]);
  expect(await allItems(dynamoDB, tableName)).toEqual([]);
}

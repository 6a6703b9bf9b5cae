import { beforeEach, describe, expect, it, jest } from '@jest/globals';
import type { KinesisStreamRecord } from 'aws-lambda';
import { type MessageReport, type OutboxSessionOptions, streamBatch } from 'sagabox';
import { silentLogger } from '../../../lib/testing/silent-logger.ts';
import { memoryPorts } from '../../support/memory-flow.ts';

let memory: ReturnType<typeof memoryPorts>;
let reports: MessageReport[];
let handled: string[];
let failing: Set<string>;

beforeEach(() => {
  memory = memoryPorts('orders');
  [reports, handled, failing] = [[], [], new Set()];
});

const kinesis = (number: string) => ({
  eventID: `shardId-000:${number}`,
  eventSource: 'aws:kinesis',
  eventSourceARN: 'arn:aws:kinesis:eu-central-1:123456789012:stream/orders',
  kinesis: { sequenceNumber: number, data: 'e30=' },
});

const dynamoDB = (number: string) => ({
  eventID: `id-${number}`,
  eventSource: 'aws:dynamodb',
  eventName: 'INSERT',
  eventSourceARN: 'arn:aws:dynamodb:eu-central-1:123456789012:table/orders/stream/1',
  dynamodb: { SequenceNumber: number, Keys: { PK: { S: number } } },
});

function handlerOf(options: Partial<OutboxSessionOptions> = {}) {
  return streamBatch<KinesisStreamRecord>(
    async (record, { send }) => {
      const id = record.eventID;
      handled.push(id);
      send('billing', 'Changed', { id });
      if (failing.has(id)) throw new Error('no stock');
    },
    {
      endpoint: 'orders',
      destinations: { billing: 'https://queues.test/billing' },
      logger: silentLogger,
      onMessage: (report) => void reports.push(report),
      ports: memory.ports,
      ...options,
    } as OutboxSessionOptions,
  );
}

it('tells with a failure whose it is, as every line of a session does', async () => {
  failing.add(kinesis('1').eventID);
  const lines: unknown[] = [];
  const logger = { ...silentLogger, error: (...line: unknown[]) => void lines.push(line) };
  await handlerOf({ logger })({ Records: [kinesis('1')] });
  const [{ messageId: id } = {}] = reports;
  expect(id).toBeDefined();
  expect(lines).toEqual([
    [
      'A record of a stream failed: it and those behind it are delivered again',
      {
        endpoint: 'orders',
        messageId: id,
        messageType: expect.stringContaining('aws:kinesis'),
        conversationId: id,
        sequenceNumber: '1',
        code: 'Error',
        error: expect.objectContaining({ message: 'no stock' }),
      },
    ],
  ]);
});

const failed = (number?: string) => ({
  batchItemFailures: number === undefined ? [] : [{ itemIdentifier: number }],
});

describe.each([
  ['Kinesis', kinesis],
  ['DynamoDB Streams', dynamoDB],
] as const)('a batch of %s', (_, recordOf) => {
  const ids = (...numbers: string[]) => numbers.map((number) => recordOf(number).eventID);
  const event = (...numbers: string[]) => ({ Records: numbers.map((number) => recordOf(number)) });

  it('is handled in order, each record once', async () => {
    const handle = handlerOf();
    expect(await handle(event('1', '2', '3'))).toEqual(failed());
    expect(await handle(event('1', '2', '3'))).toEqual(failed());
    expect(handled).toEqual(ids('1', '2', '3'));
    expect(memory.dispatcher.sent.map(({ body }) => body)).toEqual(ids('1', '2', '3').map((id) => ({ id })));
  });

  it('ends at the first record that fails, which is returned with those behind it', async () => {
    const handle = handlerOf();
    failing = new Set(ids('2'));
    expect(await handle(event('1', '2', '3'))).toEqual(failed('2'));
    expect(handled).toEqual(ids('1', '2'));
    failing.clear();
    expect(await handle(event('2', '3'))).toEqual(failed());
    expect(handled).toEqual(ids('1', '2', '2', '3'));
    expect(memory.dispatcher.sent).toHaveLength(3);
    expect(reports.map(({ outcome }) => outcome)).toEqual(['handled', 'failed', 'handled', 'handled']);
  });

  it('starts its first record however little time is left, and no further one', async () => {
    const context = { getRemainingTimeInMillis: () => remaining, awsRequestId: 'r1' } as never;
    let remaining = 10_000;
    const handle = handlerOf({
      onMessage: () => {
        remaining = 1000;
      },
    });
    expect(await handle(event('1', '2'), context)).toEqual(failed('2'));
    expect(handled).toEqual(ids('1'));
  });
});

describe('the end of a tumbling window', () => {
  const window = { start: '2026-12-01T07:04:00Z', end: '2026-12-01T07:06:00Z' };
  const end = { window, state: {}, shardId: 'shardId-000', isFinalInvokeForWindow: true };

  it.each([[{ ...end, Records: [] }], [end], [{ ...end, Records: null }]])(
    'has no records to handle: %j',
    async (event) => {
      expect(await handlerOf()(event)).toEqual({ batchItemFailures: [] });
      expect(handled).toEqual([]);
    },
  );

  it('may come with records, which are handled', async () => {
    await handlerOf()({ ...end, Records: [kinesis('1')] });
    expect(handled).toEqual([kinesis('1').eventID]);
  });

  it.each([[{ ...end, isFinalInvokeForWindow: false, Records: [] }], [{ ...end, Records: {} }]])(
    'is not %j',
    async (event) => {
      await expect(handlerOf()(event)).rejects.toMatchObject({ code: 'InvalidEvent' });
    },
  );
});

describe('streamBatch', () => {
  it.each([
    [undefined],
    [{}],
    [{ Records: [] }],
    [{ Records: [{ messageId: 'm1', body: '{}' }] }],
    [{ Records: [kinesis('1'), null] }],
    [{ Records: [{ ...kinesis('1'), eventID: '' }] }],
    [{ Records: [{ ...kinesis('1'), kinesis: {} }] }],
  ])('refuses %j as a whole', async (event) => {
    await expect(handlerOf()(event)).rejects.toThrow(
      expect.objectContaining({ code: 'InvalidEvent' }) as never,
    );
    expect(handled).toEqual([]);
  });

  it('throws what is missing in the environment', async () => {
    const handle = streamBatch(() => {}, { logger: silentLogger });
    await expect(handle({ Records: [kinesis('1')] })).rejects.toThrow(
      expect.objectContaining({ code: 'Configuration' }) as never,
    );
  });

  it('refuses what is no function', () => {
    expect(() => streamBatch('handler' as never)).toThrow('Pass a function of one record');
  });

  it('returns a record whose handler does not end in time', async () => {
    jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate', 'queueMicrotask'] });
    try {
      const endsAt = Date.now() + 200;
      const context = { getRemainingTimeInMillis: () => endsAt - Date.now(), awsRequestId: 'r1' } as never;
      const handling = Promise.withResolvers<void>();
      const hang = () => {
        handling.resolve();
        return new Promise(() => {});
      };
      const options = { endpoint: 'orders', logger: silentLogger, ports: memory.ports };
      const handled = streamBatch(hang, options)({ Records: [kinesis('1'), kinesis('2')] }, context);
      await handling.promise;
      await jest.advanceTimersByTimeAsync(200);
      expect(await handled).toEqual(failed('1'));
    } finally {
      jest.useRealTimers();
    }
  });
});

import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import middy from '@middy/core';
import { trace } from '@opentelemetry/api';
import { BasicTracerProvider, BatchSpanProcessor, InMemorySpanExporter } from '@opentelemetry/sdk-trace-base';
import {
  createHandler,
  defineHandlers,
  outboxSession,
  relayOutbox,
  runOutboxSession,
  streamBatch,
} from 'sagabox';
import { openTelemetry } from 'sagabox/opentelemetry';
import { sqsEvent } from 'sagabox/testing';
import { z } from 'zod';
import { flushSpans } from '../../lib/opentelemetry/flush-spans.ts';
import { silentLogger } from '../../lib/testing/silent-logger.ts';
import { createTable, dynamoDBClient } from '../support/engines.ts';
import { memoryPorts } from '../support/memory-flow.ts';

let exporter: InMemorySpanExporter;
let provider: BasicTracerProvider;

beforeEach(() => {
  exporter = new InMemorySpanExporter();
  provider = new BasicTracerProvider({ spanProcessors: [new BatchSpanProcessor(exporter)] });
  trace.setGlobalTracerProvider(provider);
});

afterEach(async () => {
  await provider.shutdown();
  trace.disable();
});

const exported = () => exporter.getFinishedSpans().map(({ name }) => name);
const options = (tracing = openTelemetry()) => ({
  endpoint: 'orders',
  destinations: {},
  logger: silentLogger,
  ports: memoryPorts().ports,
  tracing,
});

const kinesisRecord = (sequenceNumber: string) => ({
  eventID: `shardId-000:${sequenceNumber}`,
  eventSource: 'aws:kinesis',
  eventSourceARN: 'arn:aws:kinesis:eu-central-1:123456789012:stream/orders',
  kinesis: { sequenceNumber, data: 'e30=' },
});

async function handleBatch(tracing = openTelemetry()): Promise<void> {
  const orders = defineHandlers({ messages: { Placed: z.object({}) }, handlers: { Placed() {} } });
  await createHandler(orders, options(tracing))(sqsEvent([{ type: 'Placed' }]));
}

describe('spans are exported by the end', () => {
  it('of a batch', async () => {
    await handleBatch();
    expect(exported()).toEqual(['commit', 'process orders']);
  });

  it('of a session, in Middy or without', async () => {
    await middy(async () => null).use(outboxSession(options()))({}, {} as never);
    await runOutboxSession({}, () => null, options());
    expect(exported()).toEqual(['session orders', 'session orders']);
  });

  it('of a batch of a stream, once for all of its records', async () => {
    let flushes = 0;
    const { forceFlush } = provider;
    provider.forceFlush = () => {
      flushes += 1;
      return forceFlush.call(provider);
    };
    const handler = streamBatch(() => {}, options());
    await handler({ Records: ['1', '2'].map(kinesisRecord) });
    expect(exported().filter((name) => name === 'session orders')).toHaveLength(2);
    expect(flushes).toBe(1);
  });

  it('of a run of the relay', async () => {
    trace.getTracer('test').startSpan('waiting').end();
    const relay = relayOutbox({
      endpoint: 'orders',
      outboxTable: { tableName: await createTable() },
      destinations: {},
      dynamoDBClient: dynamoDBClient(),
      segments: 1,
      logger: silentLogger,
      tracing: openTelemetry(),
    });
    await relay();
    expect(exported()).toEqual(['waiting']);
  });

  it('of nothing, if that is turned off', async () => {
    await handleBatch(openTelemetry({ flushTimeout: { seconds: 0 } }));
    expect(exported()).toEqual([]);
  });
});

describe('an export', () => {
  it.each([
    ['that hangs', () => new Promise<void>(() => {})],
    ['that fails', () => Promise.reject(new Error('no collector'))],
    [
      'that throws',
      () => {
        throw new Error('no collector');
      },
    ],
  ])('%s keeps nobody from answering', async (_, forceFlush) => {
    provider.forceFlush = forceFlush;
    await expect(flushSpans(5)).resolves.toBeUndefined();
    await expect(handleBatch(openTelemetry({ flushTimeout: { milliseconds: 5 } }))).resolves.toBeUndefined();
  });

  it('needs a provider', async () => {
    trace.disable();
    await expect(flushSpans(1000)).resolves.toBeUndefined();
  });
});

it('takes no more than half of the time that is left', async () => {
  const waited: number[] = [];
  const tracing = { ...openTelemetry(), flush: async (maxMs: number) => void waited.push(maxMs) };
  const context = { getRemainingTimeInMillis: () => 8000 } as never;
  await runOutboxSession({}, () => null, { ...options(tracing), context });
  expect(waited).toEqual([4000]);
});

import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { SpanKind, trace } from '@opentelemetry/api';
import { createProducer, defineContract } from 'sagabox';
import { openTelemetry } from 'sagabox/opentelemetry';
import { z } from 'zod';
import { readEnvelope } from '../../../lib/messages/envelope.ts';
import { createQueue, sqsClient } from '../../support/engines.ts';
import { drawSpans, type ExportedSpans, exportSpans } from '../../support/exported-spans.ts';
import { receiveRecords } from '../../support/received-records.ts';

const orders = defineContract('orders', { OrderPlaced: z.object({ orderId: z.string() }) });
const client = sqsClient();

let exported: ExportedSpans;
let queueUrl: string;

beforeEach(async () => {
  exported = exportSpans();
  queueUrl = await createQueue();
});

afterEach(() => exported.end());

const producer = () =>
  createProducer({ queueUrl, contract: orders, sqsClient: client, tracing: openTelemetry() });

it('sends a single message in a span whose context it carries', async () => {
  const id = await producer().send('OrderPlaced', { orderId: '1' });
  const [send] = exported.named('send orders');
  expect(send?.kind).toBe(SpanKind.PRODUCER);
  expect(send?.attributes).toEqual({
    'messaging.system.name': 'aws.sqs',
    'messaging.operation.name': 'send',
    'messaging.operation.type': 'send',
    'messaging.destination.name': queueUrl.split('/').at(-1),
    'messaging.destination.template': 'orders',
    'messaging.message.id': id,
    'sagabox.message.type': 'OrderPlaced',
    'aws.sqs.queue.url': queueUrl,
  });
  const { traceId, spanId } = send?.spanContext() ?? {};
  expect(await receivedTraceParents()).toEqual([`00-${traceId}-${spanId}-01`]);
});

it('sends a batch in a span, and each message with one of its own, but for those that have a context', async () => {
  const own = `00-${'1'.repeat(32)}-b7ad6b7169203331-01`;
  await trace.getTracer('web').startActiveSpan('POST /orders', async (span) => {
    await producer().sendBatch([
      { type: 'OrderPlaced', body: { orderId: '1' } },
      { type: 'OrderPlaced', body: { orderId: '2' }, headers: { traceparent: own } },
      { type: 'OrderPlaced', body: { orderId: '3' } },
    ]);
    span.end();
  });
  expect(`\n${drawSpans(exported.spans())}\n`).toBe(`
POST /orders
└─ send orders CLIENT 3 messages ~create orders ~elsewhere ~create orders
   ├─ create orders PRODUCER OrderPlaced
   └─ create orders PRODUCER OrderPlaced
`);
  const created = exported.named('create orders').map((span) => span.spanContext());
  expect(await receivedTraceParents()).toEqual(
    [...created.map(({ traceId, spanId }) => `00-${traceId}-${spanId}-01`), own].toSorted(),
  );
});

it('calls a destination without a contract by the last part of its address', async () => {
  const untyped = createProducer({ queueUrl, sqsClient: client, tracing: openTelemetry() });
  await untyped.send('OrderPlaced', {});
  const name = queueUrl.split('/').at(-1);
  const [send] = exported.named(`send ${name}`);
  expect(send?.attributes).toMatchObject({ 'messaging.destination.name': name });
  expect(send?.attributes).not.toHaveProperty('messaging.destination.template');
});

async function receivedTraceParents(): Promise<unknown[]> {
  const records = await receiveRecords(client, queueUrl);
  return records.map((record) => readEnvelope(record).headers.traceparent).toSorted();
}

it('tells why nothing was sent', async () => {
  const wrong = { type: 'OrderPlaced', body: {} } as never;
  await expect(producer().sendBatch([wrong])).rejects.toMatchObject({ code: 'InvalidOutgoingMessage' });
  const [send] = exported.named('send orders');
  expect(send?.attributes['error.type']).toBe('InvalidOutgoingMessage');
});

import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { SpanKind, trace } from '@opentelemetry/api';
import { createProducer, defineContract } from 'sagabox';
import { openTelemetry } from 'sagabox/opentelemetry';
import { z } from 'zod';
import { readEnvelope } from '../../../lib/core/incoming/envelope.ts';
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

it('sends in a span whose context its messages carry, but for those that have their own', async () => {
  const own = `00-${'1'.repeat(32)}-b7ad6b7169203331-01`;
  await trace.getTracer('web').startActiveSpan('POST /orders', async (span) => {
    await producer().sendBatch([
      { type: 'OrderPlaced', body: { orderId: '1' } },
      { type: 'OrderPlaced', body: { orderId: '2' }, headers: { traceparent: own } },
    ]);
    span.end();
  });
  expect(`\n${drawSpans(exported.spans())}\n`).toBe(`
POST /orders
└─ send orders PRODUCER 2 messages
`);
  const [send] = exported.named('send orders');
  const { traceId, spanId } = send?.spanContext() ?? {};
  const received = (await receiveRecords(client, queueUrl)).map((record) => readEnvelope(record));
  expect(received.map(({ headers }) => headers.traceparent).toSorted()).toEqual(
    [`00-${traceId}-${spanId}-01`, own].toSorted(),
  );
});

it('tells why nothing was sent', async () => {
  const wrong = { type: 'OrderPlaced', body: {} } as never;
  await expect(producer().sendBatch([wrong])).rejects.toMatchObject({ code: 'InvalidOutgoingMessage' });
  const [send] = exported.named('send orders');
  expect(send?.kind).toBe(SpanKind.PRODUCER);
  expect(send?.attributes['error.type']).toBe('InvalidOutgoingMessage');
});

import type { SendMessageBatchRequestEntry } from '@aws-sdk/client-sqs';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { createHandler, defineSaga } from 'sagabox';
import { openTelemetry } from 'sagabox/opentelemetry';
import { z } from 'zod';
import { silentLogger } from '../../lib/testing/silent-logger.ts';
import { createQueue, createTable, dynamoDBClient, sqsClient } from '../support/engines.ts';
import { type ExportedSpans, exportSpans } from '../support/exported-spans.ts';
import { ClientFaults } from '../support/faults.ts';
import { record } from '../support/queue.ts';

const saga = defineSaga({
  name: 'Order',
  messages: { OrderPlaced: z.object({ orderId: z.string() }) },
  correlate: { OrderPlaced: (m) => m.orderId },
  startedBy: ['OrderPlaced'],
  initialState: () => ({}),
  handlers: {
    OrderPlaced: ({ body }, { send }) => send('billing', 'ChargeCard', body),
  },
});

let exported: ExportedSpans;

beforeEach(() => {
  exported = exportSpans();
});

afterEach(async () => {
  delete process.env._X_AMZN_TRACE_ID;
  await exported.end();
});

describe('Behaviour: messages of a traced handler', () => {
  it('carry X-Ray’s header of their own on SQS, beside the same context in their attributes', async () => {
    const lineage = 'Lineage=1:a87bd80c:3';
    process.env._X_AMZN_TRACE_ID = `Root=1-00000001-000000000000000000000001;Parent=0000000000000001;Sampled=1;${lineage}`;
    const table = { tableName: await createTable() };
    const sqs = sqsClient();
    const calls = new ClientFaults(sqs);
    const handler = createHandler(saga, {
      endpoint: 'orders',
      sagaTable: table,
      outboxTable: table,
      destinations: { billing: await createQueue() },
      dynamoDBClient: dynamoDBClient(),
      sqsClient: sqs,
      logger: silentLogger,
      tracing: openTelemetry(),
    });
    const orders = ['1', '2', '3'].map((orderId) => record('OrderPlaced', { orderId }, `order-${orderId}`));
    expect(await handler({ Records: orders })).toEqual({ batchItemFailures: [] });

    const sends = calls.requests.filter(({ operation }) => operation === 'SendMessageBatch');
    const entries = sends.flatMap(({ input }) => input.Entries as SendMessageBatchRequestEntry[]);
    const created = exported.named('create billing').map((span) => span.spanContext());
    expect(entries.map(traceOf).toSorted()).toEqual(
      created
        .map(({ traceId, spanId }) => [`00-${traceId}-${spanId}-01`, xrayOf(traceId, spanId)])
        .toSorted(),
    );

    function xrayOf(traceId: string, spanId: string): string {
      return `Root=1-${traceId.slice(0, 8)}-${traceId.slice(8)};Parent=${spanId};Sampled=1;${lineage}`;
    }
  });
});

function traceOf({ MessageAttributes, MessageSystemAttributes }: SendMessageBatchRequestEntry) {
  return [
    MessageAttributes?.traceparent?.StringValue,
    MessageSystemAttributes?.AWSTraceHeader?.StringValue,
  ] as const;
}

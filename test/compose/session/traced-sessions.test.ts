import { afterEach, beforeEach, expect, it } from '@jest/globals';
import middy from '@middy/core';
import { trace } from '@opentelemetry/api';
import {
  idempotencyKeyHeader,
  type OutboxSessionContext,
  type OutboxSessionOptions,
  outboxSession,
  runOutboxSession,
} from 'sagabox';
import { openTelemetry } from 'sagabox/opentelemetry';
import { silentLogger } from '../../../lib/testing/silent-logger.ts';
import { drawSpans, type ExportedSpans, exportSpans } from '../../support/exported-spans.ts';
import { httpApiEvent } from '../../support/http-events.ts';
import { memoryPorts } from '../../support/memory-flow.ts';

const traceId = '0af7651916cd43dd8448eb211c80319c';
const traceparent = `00-${traceId}-b7ad6b7169203331-01`;
const request = (headers = {}) => httpApiEvent({ headers: { 'idempotency-key': 'k1', ...headers } });

let exported: ExportedSpans;
let options: OutboxSessionOptions;
let memory: ReturnType<typeof memoryPorts>;

beforeEach(() => {
  exported = exportSpans();
  memory = memoryPorts('api');
  options = {
    endpoint: 'api',
    destinations: { orders: 'https://queues.test/orders' },
    idempotencyKey: idempotencyKeyHeader(),
    tracing: openTelemetry(),
    logger: silentLogger,
    ports: memory.ports,
  };
});

afterEach(async () => {
  delete process.env._X_AMZN_TRACE_ID;
  await exported.end();
});

const tree = () => `\n${drawSpans(exported.spans())}\n`;

async function place(event: object, handle?: () => unknown) {
  return await runOutboxSession(
    event,
    async (_event, { send }) => {
      trace.getTracer('users').startSpan('price').end();
      send('orders', 'OrderPlaced', { orderId: '42' });
      await handle?.();
      return { statusCode: 202 };
    },
    options,
  );
}

it('has a span of its own, with its commit and what it sends, in the trace of the request', async () => {
  await place(request({ traceparent }));
  await place(request({ traceparent }));
  expect(tree()).toBe(`
session api POST /orders, handled
├─ price
├─ commit
├─ create orders PRODUCER OrderPlaced
└─ send orders CLIENT OrderPlaced ~create orders
session api POST /orders, duplicate
`);
  const [session] = exported.named('session api');
  expect(session?.parentSpanContext?.traceId).toBe(traceId);
  expect(memory.dispatcher.sent[0]?.headers.traceparent).toContain(traceId);
});

it('is below the current span, which knows the request better, in Middy too', async () => {
  const handler = middy(async (_event: unknown, { send }: OutboxSessionContext) => {
    send('orders', 'OrderPlaced', { orderId: '42' });
    return { statusCode: 202 };
  }).use(outboxSession(options));
  await trace.getTracer('lambda').startActiveSpan('invoke api', async (span) => {
    await handler(request({ traceparent }), {} as never);
    span.end();
  });
  expect(tree()).toBe(`
invoke api
└─ session api POST /orders, handled
   ├─ commit
   ├─ create orders PRODUCER OrderPlaced
   └─ send orders CLIENT OrderPlaced ~create orders
`);
});

it('is below the segment of Lambda where that samples the invocation, and nothing else is current', async () => {
  process.env._X_AMZN_TRACE_ID = `Root=1-${traceId.slice(0, 8)}-${traceId.slice(8)};Parent=b7ad6b7169203331;Sampled=1`;
  await place({ file: 'a' });
  expect(exported.named('session api')[0]?.parentSpanContext?.traceId).toBe(traceId);
});

it('tells why it failed', async () => {
  const failure = () => Promise.reject(new TypeError('no price'));
  await expect(place(request(), failure)).rejects.toThrow('no price');
  expect(tree()).toBe(`
session api POST /orders, failed, !TypeError
└─ price
`);
});

import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { context, SpanKind, trace } from '@opentelemetry/api';
import { createHandler, defineHandlers } from 'sagabox';
import { type OpenTelemetryOptions, openTelemetry, semanticConventionsVersion } from 'sagabox/opentelemetry';
import { sqsRecord } from 'sagabox/testing';
import { z } from 'zod';
import { readEnvelope } from '../../lib/messages/envelope.ts';
import type { DispatchedMessage, OutgoingMessage } from '../../lib/messages/message.ts';
import { wireAttributes, wireBody, wireBytes } from '../../lib/messages/wire-format/wire.ts';
import { readTraceHeaders } from '../../lib/observe/tracing/trace-context.ts';
import { pack } from '../../lib/outbox/packing.ts';
import { silentLogger } from '../../lib/testing/silent-logger.ts';
import { type ExportedSpans, exportSpans } from '../support/exported-spans.ts';
import { memoryPorts } from '../support/memory-flow.ts';

const traceId = '0af7651916cd43dd8448eb211c80319c';
const spanId = 'b7ad6b7169203331';
const traceparent = `00-${traceId}-${spanId}-01`;
const xray = `Root=1-${traceId.slice(0, 8)}-${traceId.slice(8)};Parent=${spanId};Sampled=1`;

type Context = Parameters<Parameters<typeof defineHandlers>[0]['handlers'][string]>[1];

let exported: ExportedSpans;
/** What the record of the last delivery holds. */
let committed: readonly OutgoingMessage[];

beforeEach(() => {
  exported = exportSpans();
});

afterEach(async () => {
  delete process.env._X_AMZN_TRACE_ID;
  await exported.end();
});

/** Delivers one message, and returns what its handler sent. */
async function deliver(
  { attributes = {}, ...options }: Parameters<typeof sqsRecord>[0] & { attributes?: object },
  handle: (context: Context) => void = ({ send }) => send('billing', 'ChargeCard', {}),
  tracing: OpenTelemetryOptions = {},
): Promise<DispatchedMessage[]> {
  const { ports, dispatcher } = memoryPorts();
  const { committer } = ports;
  const commit = committer.commit.bind(committer);
  committer.commit = async (writes) => {
    committed = (writes.outbox?.operations ?? []) as OutgoingMessage[];
    await commit(writes);
  };
  const orders = defineHandlers({
    messages: { Placed: z.object({}) },
    handlers: { Placed: (_message, handlerContext) => handle(handlerContext) },
  });
  const handler = createHandler(orders, {
    endpoint: 'orders',
    destinations: {
      billing: 'https://sqs.us-east-1.amazonaws.com/123456789012/Shop-Billing1A2B',
      audit: 'arn:aws:events:us-east-1:123456789012:event-bus/Shop-Audit',
      news: 'arn:aws:sns:us-east-1:123456789012:Shop-News',
    },
    tracing: openTelemetry(tracing),
    logger: silentLogger,
    ports,
  });
  const record = sqsRecord({ type: 'Placed', id: 'm1', queueName: 'Shop-Orders3C4D', ...options });
  await handler({ Records: [{ ...record, attributes: { ...record.attributes, ...attributes } }] });
  return dispatcher.sent;
}

function processSpan() {
  return exported.named('process orders')[0];
}

describe('a message', () => {
  it('has a span with the attributes of the conventions', async () => {
    await deliver({ receiveCount: 2, headers: { 'Sagabox.ConversationId': 'c1' } });
    const span = processSpan();
    expect(span?.kind).toBe(SpanKind.CONSUMER);
    expect(span?.instrumentationScope).toEqual({
      name: 'sagabox',
      version: undefined,
      schemaUrl: `https://opentelemetry.io/schemas/${semanticConventionsVersion}`,
    });
    expect(span?.attributes).toEqual({
      'messaging.system.name': 'aws.sqs',
      'messaging.operation.name': 'process',
      'messaging.operation.type': 'process',
      'messaging.destination.name': 'Shop-Orders3C4D',
      'messaging.destination.template': 'orders',
      'messaging.message.id': 'm1',
      'messaging.message.conversation_id': 'c1',
      'sagabox.endpoint': 'orders',
      'sagabox.message.type': 'Placed',
      'sagabox.message.receive_count': 2,
      'sagabox.outcome': 'handled',
    });
  });

  it('has a small span, whatever its sender fills it with', async () => {
    const long = 'x'.repeat(400_000);
    const delivered = deliver({ type: long, headers: { 'Sagabox.ConversationId': long } });
    await expect(delivered).rejects.toMatchObject({ code: 'BatchFailed' });
    expect(processSpan()?.attributes).toMatchObject({
      'messaging.message.id': 'm1',
      'messaging.message.conversation_id': 'x'.repeat(2048),
      'sagabox.message.type': 'x'.repeat(2048),
    });
  });

  it.each([
    ['its traceparent', { headers: { traceparent } }, true],
    ['X-Ray’s header', { attributes: { AWSTraceHeader: xray } }, true],
    ['no header that is malformed', { headers: { traceparent: `${traceparent}!` } }, false],
    ['no header of X-Ray that is malformed', { attributes: { AWSTraceHeader: `${xray}x` } }, false],
    [
      'no header of X-Ray that is not sampled',
      { attributes: { AWSTraceHeader: xray.replace(/1$/, '0') } },
      false,
    ],
  ])('continues the trace of %s', async (_, options, isContinued) => {
    await deliver(options);
    const parent = processSpan()?.parentSpanContext;
    if (isContinued) expect(parent).toMatchObject({ traceId, spanId, isRemote: true });
    else expect(parent).toBeUndefined();
  });

  it('prefers its traceparent to X-Ray’s header', async () => {
    const headers = { traceparent: `00-${'1'.repeat(32)}-${spanId}-01` };
    await deliver({ headers, attributes: { AWSTraceHeader: xray } });
    expect(processSpan()?.spanContext().traceId).toBe('1'.repeat(32));
  });

  it('does not read X-Ray’s header when that is turned off', async () => {
    await deliver({ attributes: { AWSTraceHeader: xray } }, undefined, { xray: false });
    expect(processSpan()?.parentSpanContext).toBeUndefined();
  });

  it('is not sampled when its sender was not', async () => {
    const sent = await deliver({ headers: { traceparent: traceparent.replace(/1$/, '0') } });
    expect(exported.spans()).toEqual([]);
    expect(sent[0]?.headers.traceparent).toMatch(new RegExp(`^00-${traceId}-[\\da-f]{16}-00$`));
  });

  it('has the spans that its handler makes below its own', async () => {
    await deliver({}, () => {
      trace.getTracer('users').startSpan('price').end();
      expect(trace.getSpanContext(context.active())?.traceId).toBeDefined();
    });
    expect(exported.named('price')[0]?.parentSpanContext?.spanId).toBe(processSpan()?.spanContext().spanId);
  });
});

describe('what a handler sends', () => {
  it('carries the context of a create span of its own, and the state of the trace', async () => {
    const sent = await deliver({ headers: { traceparent, tracestate: 'a=1' } }, ({ send }) => {
      send('billing', 'ChargeCard', {});
      send('billing', 'ChargeCard', {});
    });
    const created = exported.named('create billing');
    expect(created).toHaveLength(2);
    expect(sent.map(({ headers }) => headers)).toEqual(
      created.map((span) =>
        expect.objectContaining({
          traceparent: `00-${traceId}-${span.spanContext().spanId}-01`,
          tracestate: 'a=1',
        }),
      ),
    );
    const { spanId: handled } = processSpan()?.spanContext() ?? {};
    expect(created.map(({ parentSpanContext }) => parentSpanContext?.spanId)).toEqual([handled, handled]);
    expect(created.map(({ attributes }) => attributes)).toEqual(
      sent.map(({ id }) => ({
        'messaging.system.name': 'aws.sqs',
        'messaging.operation.name': 'create',
        'messaging.operation.type': 'create',
        'messaging.destination.name': 'Shop-Billing1A2B',
        'messaging.destination.template': 'billing',
        'messaging.message.id': id,
        'messaging.message.conversation_id': 'm1',
        'sagabox.message.type': 'ChargeCard',
        'aws.sqs.queue.url': 'https://sqs.us-east-1.amazonaws.com/123456789012/Shop-Billing1A2B',
      })),
    );
  });

  it.each([1, 10])(
    'has the context once in the record of %i messages, and in 72 bytes of each',
    async (count) => {
      const sent = await deliver({}, ({ send }) => {
        for (let index = 0; index < count; index += 1) send('billing', 'ChargeCard', { index });
      });
      const untraced = committed.map(({ headers: { traceparent: _, ...headers }, ...message }) => ({
        ...message,
        headers,
      }));
      const bytesOf = (messages: readonly OutgoingMessage[]) =>
        pack(messages, { endpoint: 'orders', messageId: 'm1' }).byteLength;
      expect(bytesOf(committed) - bytesOf(untraced)).toBe(74);
      expect(new Set(sent.map(({ headers }) => headers.traceparent)).size).toBe(count);
      const [message, same] = [sent[0], untraced[0]] as [OutgoingMessage, OutgoingMessage];
      expect(wireBytes(message) - wireBytes(same)).toBe(72);
    },
  );

  it('keeps a traceparent that the handler gives it', async () => {
    const headers = { traceparent: `00-${'2'.repeat(32)}-${spanId}-01` };
    const [sent] = await deliver({ headers: { traceparent, tracestate: 'a=1' } }, ({ send }) =>
      send('billing', 'ChargeCard', {}, { headers }),
    );
    expect(sent?.headers).toMatchObject(headers);
    expect(sent?.headers).not.toHaveProperty('tracestate');
    expect(exported.named('create billing')).toEqual([]);
    const [span] = exported.named('send billing');
    expect(span?.parentSpanContext?.spanId).toBe(processSpan()?.spanContext().spanId);
    expect(span?.links.map(({ context: linked }) => linked.traceId)).toEqual(['2'.repeat(32)]);
  });

  it('has a span for each destination', async () => {
    await deliver({}, ({ send }) => {
      send('billing', 'ChargeCard', {});
      send('billing', 'ChargeCard', {});
      send('audit', 'Charged', {});
      send('news', 'Charged', {});
    });
    expect(exported.named('send billing')[0]?.attributes).toEqual({
      'messaging.system.name': 'aws.sqs',
      'messaging.operation.name': 'send',
      'messaging.operation.type': 'send',
      'messaging.destination.name': 'Shop-Billing1A2B',
      'messaging.destination.template': 'billing',
      'messaging.batch.message_count': 2,
      'aws.sqs.queue.url': 'https://sqs.us-east-1.amazonaws.com/123456789012/Shop-Billing1A2B',
    });
    expect(exported.named('send audit')[0]?.attributes).toMatchObject({
      'messaging.system.name': 'aws.eventbridge',
      'messaging.destination.name': 'Shop-Audit',
      'messaging.message.conversation_id': 'm1',
      'sagabox.message.type': 'Charged',
    });
    expect(exported.named('send news')[0]?.attributes).toMatchObject({
      'messaging.system.name': 'aws.sns',
      'messaging.destination.name': 'Shop-News',
      'aws.sns.topic.arn': 'arn:aws:sns:us-east-1:123456789012:Shop-News',
    });
  });
});

describe('X-Ray’s header of what is sent', () => {
  const invocation = 'Root=1-00000001-000000000000000000000001;Parent=0000000000000001;Sampled=1';

  it('is that of the message where active tracing samples the invocation, with its lineage', async () => {
    process.env._X_AMZN_TRACE_ID = `${invocation};Lineage=1:a87bd80c:3`;
    const [sent] = await deliver({ headers: { traceparent } });
    const { spanId: created } = exported.named('create billing')[0]?.spanContext() ?? {};
    const root = `Root=1-${traceId.slice(0, 8)}-${traceId.slice(8)}`;
    expect(sent?.awsTraceHeader).toBe(`${root};Parent=${created};Sampled=1;Lineage=1:a87bd80c:3`);
  });

  it.each([
    ['without active tracing', `${invocation.replace(/1$/, '0')};Lineage=1:a87bd80c:3`, {}],
    ['outside of Lambda', undefined, {}],
    ['when it is turned off', `${invocation};Lineage=1:a87bd80c:3`, { xray: false }],
  ])('is left to the SDK %s', async (_, header, options) => {
    if (header !== undefined) process.env._X_AMZN_TRACE_ID = header;
    const [sent] = await deliver({ headers: { traceparent } }, undefined, options);
    expect(sent).toBeDefined();
    expect(sent).not.toHaveProperty('awsTraceHeader');
  });

  it('is read from the store of an environment that runs several invocations', async () => {
    const scope = globalThis as { awslambda?: unknown };
    scope.awslambda = { InvokeStore: { getXRayTraceId: () => `${invocation};Lineage=2:b:1` } };
    try {
      const [sent] = await deliver({});
      expect(sent?.awsTraceHeader).toMatch(/;Sampled=1;Lineage=2:b:1$/);
    } finally {
      delete scope.awslambda;
    }
  });
});

describe('without a provider', () => {
  it.each([
    ['passed on', { traceparent, tracestate: 'a=1' }, { traceparent, tracestate: 'a=1' }],
    ['not made up', {}, {}],
  ])('trace headers are %s', async (_, headers, expected) => {
    await exported.end();
    const [sent] = await deliver({ headers });
    const { traceparent: parent, tracestate: state } = sent?.headers ?? {};
    expect({ ...(parent && { traceparent: parent }), ...(state && { tracestate: state }) }).toEqual(expected);
  });
});

describe('options', () => {
  it.each([
    ['xray', { xray: 'no' }],
    ['sampler', { sampler: 1 }],
  ])('of openTelemetry are refused when they are wrong: %s', (setting, wrong) => {
    const error = thrownBy(() => openTelemetry(wrong as OpenTelemetryOptions));
    expect(error).toMatchObject({ code: 'Configuration', facts: { setting } });
  });

  it('refuse openTelemetry that is not called', () => {
    const orders = defineHandlers({ messages: { Placed: z.object({}) }, handlers: { Placed() {} } });
    const error = thrownBy(() => createHandler(orders, { tracing: openTelemetry as never }));
    expect(error).toMatchObject({ code: 'Configuration', facts: { setting: 'tracing' } });
  });

  function thrownBy(make: () => unknown): unknown {
    try {
      return make();
    } catch (error) {
      return error;
    }
  }
});

it.each(['plain', 'cloudevents'] as const)('a trace goes on through messages that are %s', async (format) => {
  const [sent] = await deliver({ headers: { traceparent, tracestate: 'a=1' } }, ({ send }) =>
    send('billing', 'ChargeCard', {}, { format, headers: { one: '1', two: '2', three: '3' } }),
  );
  const created = exported.named('create billing')[0]?.spanContext();
  const message = sent as DispatchedMessage;
  const received = readEnvelope(sqsRecord({ rawBody: wireBody(message), headers: wireAttributes(message) }));
  expect(readTraceHeaders(received.headers)).toEqual({
    traceId,
    spanId: created?.spanId,
    isSampled: true,
    traceState: 'a=1',
  });
});

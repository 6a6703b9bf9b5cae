import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { SpanStatusCode } from '@opentelemetry/api';
import { SagaboxError } from 'sagabox';
import { openTelemetry } from 'sagabox/opentelemetry';
import type { OutgoingOperation } from '../../lib/messages/message.ts';
import type { DispatchOptions } from '../../lib/sending/dispatch-options.ts';
import type { Dispatcher } from '../../lib/sending/dispatcher.ts';
import { type ExportedSpans, exportSpans } from '../support/exported-spans.ts';
import { outgoingMessage } from '../support/outgoing-messages.ts';
import { sendingTo } from '../support/sending.ts';

const { destinations } = sendingTo({
  billing: 'https://queues.test/billing',
  orders: 'https://queues.test/orders',
});
const spanIds = ['b7ad6b7169203331', 'b7ad6b7169203332'] as const;
const traceparent = (spanId: string) => `00-0af7651916cd43dd8448eb211c80319c-${spanId}-01`;
const operations: OutgoingOperation[] = [
  outgoingMessage({ id: 'a', destination: 'billing', headers: { traceparent: traceparent(spanIds[0]) } }),
  outgoingMessage({ id: 'b', destination: 'billing', headers: { traceparent: traceparent(spanIds[1]) } }),
  outgoingMessage({ id: 'c', destination: 'orders', headers: { traceparent: traceparent(spanIds[0]) } }),
  { id: 'd', cancels: 'z' },
];

let exported: ExportedSpans;

beforeEach(() => {
  exported = exportSpans();
});

afterEach(() => exported.end());

const sends = () => exported.spans().filter(({ name }) => name.startsWith('send '));

/** A dispatcher that does as it is told. */
function dispatcherThat(dispatch: (options: DispatchOptions) => Promise<void>): Dispatcher {
  const dispatcher: Dispatcher = { dispatch: (_, options = {}) => dispatch(options) };
  return openTelemetry().traced(dispatcher, destinations);
}

describe('the spans of a dispatch', () => {
  it('end when their messages are taken, and tell the caller of it', async () => {
    const endedAt: string[][] = [];
    const taken: (readonly string[])[] = [];
    const dispatcher = dispatcherThat(async ({ onTaken }) => {
      for (const ids of [['a'], ['c', 'd'], ['b']]) {
        onTaken?.(ids);
        endedAt.push(sends().map(({ name }) => name));
      }
    });
    await dispatcher.dispatch(operations, { onTaken: (ids) => taken.push(ids) });
    expect(endedAt).toEqual([[], ['send orders'], ['send billing', 'send orders']]);
    expect(taken).toEqual([['a'], ['c', 'd'], ['b']]);
    expect(sends()).toHaveLength(2);
  });

  it('fail where messages are left, with the code of the error', async () => {
    const failure = new SagaboxError('DispatchFailed', { destination: 'billing', failures: ['throttled'] });
    const dispatcher = dispatcherThat(async ({ onTaken }) => {
      onTaken?.(['a', 'c']);
      throw failure;
    });
    await expect(dispatcher.dispatch(operations)).rejects.toBe(failure);
    const [billing, orders] = sends();
    expect(billing?.name).toBe('send billing');
    expect(billing?.status).toEqual({ code: SpanStatusCode.ERROR, message: failure.message });
    expect(billing?.attributes['error.type']).toBe('DispatchFailed');
    expect(orders?.status.code).toBe(SpanStatusCode.UNSET);
  });

  it('end with a dispatcher that does not tell what is taken', async () => {
    await dispatcherThat(async () => {}).dispatch(operations);
    expect(sends().map(({ name }) => name)).toEqual(['send billing', 'send orders']);
  });

  it('link to the span of each message, and are children of what all messages come from', async () => {
    await dispatcherThat(async () => {}).dispatch(operations);
    const [billing, orders] = sends();
    const created = (name: string) => exported.named(name).map((span) => span.spanContext().spanId);
    const linked = (span: typeof billing) => span?.links.map(({ context }) => context.spanId);
    expect(linked(billing)).toEqual(created('create billing'));
    expect(linked(billing)).toHaveLength(2);
    expect(billing?.parentSpanContext).toBeUndefined();
    expect(linked(orders)).toEqual(created('create orders'));
    expect(orders?.parentSpanContext?.spanId).toBe(spanIds[0]);
  });

  it('leave a message without a trace without one: it was measured so', async () => {
    const untraced = outgoingMessage({ id: 'e', destination: 'billing', headers: { a: '1' } });
    let sent: readonly OutgoingOperation[] = [];
    const dispatcher: Dispatcher = {
      dispatch: async (given) => {
        sent = given;
      },
    };
    await openTelemetry().traced(dispatcher, destinations).dispatch([untraced]);
    expect(sent).toEqual([untraced]);
    expect(exported.spans().map(({ name }) => name)).toEqual(['send billing']);
  });

  it('are none for destinations that are not known, and for what is taken back', async () => {
    const unknown = outgoingMessage({ id: 'e', destination: 'nowhere', headers: {} });
    await dispatcherThat(async () => {}).dispatch([unknown, { id: 'd', cancels: 'z' }]);
    expect(exported.spans()).toEqual([]);
  });
});

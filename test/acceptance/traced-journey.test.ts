import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { trace } from '@opentelemetry/api';
import { SagaboxError } from 'sagabox';
import { parseDestinations } from '../../lib/messages/destinations/destination.ts';
import type { OutgoingMessage } from '../../lib/messages/message.ts';
import { relayRecords } from '../../lib/relay/relay.ts';
import { MemoryOutboxStore } from '../../lib/testing/memory/outbox-store.ts';
import { MemoryUndispatchedRecords } from '../../lib/testing/memory/undispatched-records.ts';
import { drawSpans, type ExportedSpans, exportSpans } from '../support/exported-spans.ts';
import { placed, recordOf, sampleAddresses, TracedSample } from '../support/traced-sample.ts';

const tables = { CHARGES_TABLE: 'charges', SHIPMENTS_TABLE: 'shipments' };

let exported: ExportedSpans;
let sample: TracedSample;

beforeEach(() => {
  Object.assign(process.env, tables);
  exported = exportSpans();
  sample = new TracedSample();
});

afterEach(async () => {
  for (const name of Object.keys(tables)) delete process.env[name];
  await exported.end();
});

/** Of a span that has ended, as a web server puts it into the messages that it sends. */
function traceParent(): string {
  const span = trace.getTracer('test').startSpan('POST /orders');
  span.end();
  const { traceId, spanId } = span.spanContext();
  return `00-${traceId}-${spanId}-01`;
}

/** What each dispatch sends alike: the span in a message's `traceparent` is that of its own dispatch. */
function withoutSpan(operation: object): object {
  const { headers } = operation as OutgoingMessage;
  const traceparent = headers.traceparent?.replace(/-[\da-f]{16}-/, '-span-');
  return { ...operation, headers: { ...headers, traceparent } };
}

function tree(): string {
  return `\n${drawSpans(exported.spans())}\n`;
}

describe('Behaviour: the spans of the sample', () => {
  it('are one trace from the first message of an order to the timeout that comes too late', async () => {
    await sample.invoke('orders', [placed('1', { traceparent: traceParent() })]);
    await sample.deliverAll(({ type }) => type !== 'PaymentTimedOut');
    for (const message of sample.dispatcher.sent.filter(({ type }) => type === 'PaymentTimedOut'))
      await sample.invoke('orders', [recordOf(message)]);

    expect(tree()).toBe(`
POST /orders
└─ process orders CONSUMER OrderPlaced, handled ~invoke orders
   ├─ commit
   ├─ create billing PRODUCER ChargeCard
   │  └─ process billing CONSUMER ChargeCard, handled ~invoke billing
   │     ├─ commit
   │     ├─ create orders PRODUCER CardCharged
   │     │  └─ process orders CONSUMER CardCharged, handled ~invoke orders
   │     │     ├─ commit
   │     │     ├─ create shipping PRODUCER ShipOrder
   │     │     │  └─ process shipping CONSUMER ShipOrder, handled ~invoke shipping
   │     │     │     ├─ commit
   │     │     │     ├─ create orders PRODUCER OrderShipped
   │     │     │     │  └─ process orders CONSUMER OrderShipped, handled ~invoke orders
   │     │     │     │     ├─ commit
   │     │     │     │     ├─ create events PRODUCER OrderFulfilled
   │     │     │     │     └─ send events CLIENT OrderFulfilled ~create events
   │     │     │     └─ send orders CLIENT OrderShipped ~create orders
   │     │     └─ send shipping CLIENT ShipOrder ~create shipping
   │     └─ send orders CLIENT CardCharged ~create orders
   ├─ create orders PRODUCER PaymentTimedOut
   │  └─ process orders CONSUMER PaymentTimedOut, discarded ~invoke orders
   │     └─ commit
   ├─ send billing CLIENT ChargeCard ~create billing
   └─ send orders CLIENT PaymentTimedOut ~create orders
invoke orders
invoke billing
invoke orders
invoke shipping
invoke orders
invoke orders
`);
  });

  it('are one trace for each message of a batch of ten', async () => {
    const orderIds = ['1', '2', '3', '4', '5', '6', '7', '8', '9', '10'];
    await sample.invoke(
      'orders',
      orderIds.map((id) => placed(id, { traceparent: traceParent() })),
    );
    const ofOne = `POST /orders
└─ process orders CONSUMER OrderPlaced, handled ~invoke orders
   ├─ commit
   ├─ create billing PRODUCER ChargeCard
   ├─ create orders PRODUCER PaymentTimedOut
   ├─ send billing CLIENT ChargeCard ~create billing
   └─ send orders CLIENT PaymentTimedOut ~create orders
`;
    expect(tree()).toBe(`\n${ofOne.repeat(10)}invoke orders\n`);
  });

  it('are below the invocation for messages that come without a trace', async () => {
    await sample.invoke('orders', [placed('1'), placed('2', { traceparent: 'no trace' })]);
    const ofOne = (first: string, rest: string) => `${first} process orders CONSUMER OrderPlaced, handled
${rest} ├─ commit
${rest} ├─ create billing PRODUCER ChargeCard
${rest} ├─ create orders PRODUCER PaymentTimedOut
${rest} ├─ send billing CLIENT ChargeCard ~create billing
${rest} └─ send orders CLIENT PaymentTimedOut ~create orders`;
    expect(tree()).toBe(`
invoke orders
${ofOne('├─', '│ ')}
${ofOne('└─', '  ')}
`);
  });

  it('link the messages of one order that are committed together', async () => {
    await sample.invoke('orders', [
      placed('1', { traceparent: traceParent() }, 'one'),
      placed('1', { traceparent: traceParent() }, 'two'),
      placed('1', { traceparent: traceParent() }, 'three'),
    ]);
    const following = `POST /orders
└─ process orders CONSUMER OrderPlaced, handled ~invoke orders ~commit
   ├─ create billing PRODUCER ChargeCard
   ├─ create orders PRODUCER PaymentTimedOut
   ├─ send billing CLIENT ChargeCard ~create billing
   └─ send orders CLIENT PaymentTimedOut ~create orders
`;
    expect(tree()).toBe(`
POST /orders
└─ process orders CONSUMER OrderPlaced, handled ~invoke orders
   ├─ commit ~process orders ~process orders
   ├─ create billing PRODUCER ChargeCard
   ├─ create orders PRODUCER PaymentTimedOut
   ├─ send billing CLIENT ChargeCard ~create billing
   └─ send orders CLIENT PaymentTimedOut ~create orders
${following.repeat(2)}invoke orders
`);
  });

  it('tell a duplicate, which commits nothing', async () => {
    await sample.invoke('orders', [placed('1')]);
    exported.reset();
    await sample.invoke('orders', [placed('1')]);
    expect(tree()).toBe(`
invoke orders
└─ process orders CONSUMER OrderPlaced, duplicate
`);
  });

  it('tell why a message failed, in its trace also if it cannot be read', async () => {
    const broken = placed('1', { traceparent: traceParent() });
    const unread = placed('2', { traceparent: traceParent() });
    await sample.invoke('orders', [
      { ...broken, body: '{"orderId":1}' },
      { ...unread, body: 'no JSON' },
    ]);
    expect(tree()).toBe(`
POST /orders
└─ process orders CONSUMER OrderPlaced, failed, !InvalidMessage ~invoke orders
POST /orders
└─ process orders CONSUMER OrderPlaced, !InvalidMessage ~invoke orders
invoke orders
`);
  });

  it('are those of each attempt', async () => {
    const conflict = { sagaName: 'OrderSaga', sagaId: '1', operation: 'create' } as const;
    sample.refusals.push(new SagaboxError('SagaConcurrency', conflict));
    await sample.invoke('orders', [placed('1')]);
    expect(tree()).toBe(`
invoke orders
├─ process orders CONSUMER OrderPlaced, failed, !SagaConcurrency
│  └─ commit !SagaConcurrency
└─ process orders CONSUMER OrderPlaced, handled
   ├─ commit
   ├─ create billing PRODUCER ChargeCard
   ├─ create orders PRODUCER PaymentTimedOut
   ├─ send billing CLIENT ChargeCard ~create billing
   └─ send orders CLIENT PaymentTimedOut ~create orders
`);
  });

  it('go on in the next delivery, which sends what the record holds', async () => {
    sample.dispatcher.isDown = true;
    await sample.invoke('orders', [placed('1')]);
    sample.dispatcher.isDown = false;
    await sample.invoke('orders', [placed('1')]);
    expect(sample.dispatcher.sent.map(withoutSpan)).toEqual(
      sample.dispatcher.refused.slice(0, 2).map(withoutSpan),
    );
    expect(tree()).toBe(`
invoke orders
└─ process orders CONSUMER OrderPlaced, failed, !QueuesDown
   ├─ commit
   ├─ create billing PRODUCER ChargeCard
   ├─ create orders PRODUCER PaymentTimedOut
   ├─ send billing CLIENT ChargeCard, !QueuesDown ~create billing
   ├─ send orders CLIENT PaymentTimedOut, !QueuesDown ~create orders
   ├─ create billing PRODUCER ChargeCard
   ├─ create orders PRODUCER PaymentTimedOut
   ├─ send billing CLIENT ChargeCard ~create billing ~process orders
   └─ send orders CLIENT PaymentTimedOut ~create orders ~process orders
invoke orders
└─ process orders CONSUMER OrderPlaced, redispatched
`);
  });

  it('go on in the relay, which sends what the function would have sent', async () => {
    sample.dispatcher.isDown = true;
    const returned = await sample.invoke('orders', [placed('1', { traceparent: traceParent() })]);
    expect(returned).toBe(1);
    sample.dispatcher.isDown = false;

    const { orders: storage } = sample.storages;
    const { tracing, clock } = sample;
    const dispatcher = tracing.traced(sample.dispatcher, parseDestinations(sampleAddresses, 'test'));
    const result = await relayRecords(
      {
        undispatched: new MemoryUndispatchedRecords(storage, 'orders'),
        outbox: new MemoryOutboxStore(storage, 'orders'),
        dispatcher,
        clock,
      },
      {
        olderThanMs: -1,
        leaseDurationMs: 1000,
        concurrency: 1,
        includePostponed: false,
        newLeaseOwner: () => 'relay',
        signal: new AbortController().signal,
      },
    );
    expect(result.dispatched).toBe(1);
    expect(sample.dispatcher.sent.map(withoutSpan)).toEqual(
      sample.dispatcher.refused.slice(0, 2).map(withoutSpan),
    );
    expect(tree()).toBe(`
POST /orders
└─ process orders CONSUMER OrderPlaced, failed, !QueuesDown ~invoke orders
   ├─ commit
   ├─ create billing PRODUCER ChargeCard
   ├─ create orders PRODUCER PaymentTimedOut
   ├─ send billing CLIENT ChargeCard, !QueuesDown ~create billing
   ├─ send orders CLIENT PaymentTimedOut, !QueuesDown ~create orders
   ├─ create billing PRODUCER ChargeCard
   ├─ create orders PRODUCER PaymentTimedOut
   ├─ send billing CLIENT ChargeCard ~create billing
   └─ send orders CLIENT PaymentTimedOut ~create orders
invoke orders
`);
  });
});

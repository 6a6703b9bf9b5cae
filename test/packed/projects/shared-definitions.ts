import middy from '@middy/core';
import {
  compensate,
  createHandler,
  createProducer,
  defineContract,
  defineHandlers,
  defineSaga,
  idempotencyKeyHeader,
  type OutboxSessionContext,
  outboxSession,
  relayOutbox,
  runOutboxSession,
  sagaOutbox,
  scatterGather,
  sqsBatch,
  streamBatch,
} from 'sagabox';
import { openTelemetry } from 'sagabox/opentelemetry';
import { z } from 'zod';

// One of each, without a type of its own: its declaration names whatever the compiler infers.
const order = z.object({ orderId: z.string() });
const request = z.object({ requestId: z.string() });

export const billing = defineContract(
  'billing',
  { ChargeCard: order, RefundCard: order },
  { replies: { CardCharged: order, CardRefunded: order } },
);
export const news = defineContract('news', { OrderClosed: order });
export const prices = defineContract(
  'prices',
  { RequestQuote: request },
  { replies: { QuoteGiven: request.extend({ cents: z.number() }) } },
);

export const orderSaga = defineSaga({
  name: 'OrderSaga',
  messages: { OrderPlaced: order, LineAdded: order, OrderClosed: order },
  correlate: {
    OrderPlaced: ({ orderId }) => orderId,
    LineAdded: ({ orderId }) => orderId,
    OrderClosed: ({ orderId }) => orderId,
  },
  startedBy: ['OrderPlaced'],
  appendedBy: ['LineAdded'],
  collectedBy: ['OrderClosed'],
  initialState: () => ({ total: 0 }),
  handlers: {
    OrderPlaced: ({ body }, { send }) => send('billing', 'ChargeCard', body),
    LineAdded: ({ body }, { saga }) => saga.append('lines', body.orderId),
    OrderClosed: (_message, { saga }) => saga.complete(),
  },
});
export const listingSaga = defineSaga({
  name: 'ListingSaga',
  messages: { OrderPlaced: order, ...billing.replies },
  sends: [billing],
  publishes: [news],
  correlate: {
    OrderPlaced: ({ orderId }) => orderId,
    CardCharged: ({ orderId }) => orderId,
    CardRefunded: ({ orderId }) => orderId,
  },
  startedBy: ['OrderPlaced'],
  stateSchema: z.object({ total: z.number() }),
  initialState: () => ({ total: 0 }),
  handlers: {
    OrderPlaced: ({ body }, { send }) => send('billing', 'ChargeCard', body),
    CardCharged: ({ body }, { publish }) => publish('OrderClosed', body),
    CardRefunded: (_message, { saga }) => saga.complete(),
  },
});
export const looseHandlers = defineHandlers({
  messages: { OrderClosed: order },
  handlers: { OrderClosed: ({ body }, { send }) => send('mail', 'Thank', body) },
});
export const listingHandlers = defineHandlers({
  messages: billing.messages,
  publishes: [news],
  replies: [billing],
  handlers: {
    ChargeCard: ({ body }, { reply }) => reply('CardCharged', body),
    RefundCard: ({ body }, { publish }) => publish('OrderClosed', body),
  },
});

export const quotes = scatterGather({
  name: 'Quotes',
  endpoint: 'shop',
  asks: prices,
  request: 'RequestQuote',
  reply: 'QuoteGiven',
  timeout: { minutes: 5 },
});
export const { saga: quotesSaga, contract: quotesContract } = quotes;
export const purchase = compensate({
  name: 'Purchase',
  startedBy: { PurchaseRequested: order },
  correlate: ({ orderId }) => orderId,
  publishes: [news],
  steps: {
    charge: {
      to: billing,
      command: 'ChargeCard',
      body: ({ request: requested }) => requested,
      completedBy: 'CardCharged',
      timeout: { minutes: 5 },
      compensation: {
        command: 'RefundCard',
        body: ({ request: requested }) => requested,
        completedBy: 'CardRefunded',
        timeout: { minutes: 5 },
      },
    },
  },
});

export const sessionOptions = {
  idempotencyKey: idempotencyKeyHeader(),
  scope: 'public',
  sends: [billing],
} as const;
export async function place(
  { body }: { body: string },
  { send }: OutboxSessionContext<{ sends: [typeof billing] }>,
) {
  send('billing', 'ChargeCard', { orderId: body });
  return { statusCode: 202 };
}
export const session = outboxSession(sessionOptions);
export const sessionHandler = middy(place).use(session);
export const runScript = () => runOutboxSession('42', () => 7, { sends: [billing] });
export const streamHandler = streamBatch((_record, { publish }) => publish('OrderClosed', { orderId: '1' }));

export const tracing = openTelemetry();
export const handler = createHandler([orderSaga, listingHandlers], { tracing });
export const messageHandler = middy(listingSaga.handler).use(sagaOutbox({ saga: listingSaga }));
export const batchHandler = sqsBatch(messageHandler);
export const relay = relayOutbox();
export const producer = createProducer({ queueUrl: undefined, contract: billing });
export const looseProducer = createProducer({ topicArn: undefined });

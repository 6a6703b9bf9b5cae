import middy from '@middy/core';
import { defineHandlers, defineSaga, type SagaOutboxOptions, sagaOutbox, sqsBatch } from 'sagabox';
import type { Contender } from './contender.ts';
import { type OrderPlaced, orderSchema } from './orders.ts';
import type { StubClients } from './stub-clients.ts';

interface OrderState {
  total: number;
}

const tableName = 'messages';
const billing = 'billing';

/**
 * What Powertools' batch and idempotency are for, and no more: each message is looked for, handled, and
 * remembered. This is the figure to compare; a saga and its messages have no counterpart there.
 *
 * The ways are not the same. The whole batch is looked for in one call, and a message is put once, after its
 * handler: of two deliveries at the same time both run the handler, and one of them commits. Powertools puts
 * a record ahead of the handler, which keeps the second delivery from it, and updates it after the handler
 * with what that returned.
 */
export const sagaboxDeduplication: Contender = {
  name: 'sagabox',
  start(clients, effect) {
    const orders = defineHandlers({
      messages: { OrderPlaced: orderSchema },
      handlers: { OrderPlaced: ({ body }) => effect(body) },
    });
    return sqsBatch(middy(orders.handler).use(sagaOutbox(optionsOf(clients))));
  },
};

/** The whole: a new saga for each message, one outgoing message of each, dispatched and marked. */
export const sagaboxSaga: Contender = {
  name: 'sagabox, with a saga and a message sent',
  start(clients, effect) {
    const saga = defineSaga({
      name: 'Order',
      messages: { OrderPlaced: orderSchema },
      correlate: { OrderPlaced: ({ orderId }) => orderId },
      startedBy: ['OrderPlaced'],
      initialState: (): OrderState => ({ total: 0 }),
      handlers: {
        OrderPlaced({ body }: { body: OrderPlaced }, { saga: { state }, send }) {
          effect(body);
          state.total = body.total;
          send(billing, 'ChargeCard', { orderId: body.orderId, amount: body.total });
        },
      },
    });
    return sqsBatch(middy(saga.handler).use(sagaOutbox({ ...optionsOf(clients), saga })));
  },
};

function optionsOf({ dynamoDBClient, sqsClient }: StubClients): SagaOutboxOptions {
  return {
    endpoint: 'orders',
    sagaTable: { tableName },
    outboxTable: { tableName },
    destinations: { [billing]: 'https://sqs.eu-west-1.amazonaws.com/000000000000/billing' },
    dynamoDBClient,
    sqsClient,
  };
}

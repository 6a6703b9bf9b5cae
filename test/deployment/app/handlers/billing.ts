/** A FIFO queue: handlers without a saga, with writes of their own and a reply, and a saga. */
import { createHandler, defineHandlers } from 'sagabox';
import { object, string } from 'valibot';
import { countStep } from './count-step.ts';
import { counterSaga } from './counter.ts';
import { largeText } from './large-text.ts';

const order = object({ orderId: string() });

const billing = defineHandlers({
  messages: {
    ChargeCard: order,
    InvoiceAsked: order,
    /** Cannot be handled when it is delivered first. */
    InvoiceRepeated: order,
    Remind: order,
    StoreDocument: object({ orderId: string(), document: string() }),
  },
  handlers: {
    ChargeCard({ body: { orderId } }, { reply, transaction }) {
      transaction.add(countStep(orderId, 'billed'));
      reply('CardCharged', { orderId, document: largeText });
    },
    InvoiceAsked({ body: { orderId } }, { transaction }) {
      transaction.add(countStep(orderId, 'invoiced'));
    },
    InvoiceRepeated({ receiveCount }) {
      if (receiveCount === 1) throw new Error('The printer is busy');
    },
    Remind({ body: { orderId } }, { transaction }) {
      transaction.add(countStep(orderId, 'reminded'));
    },
    StoreDocument({ body: { orderId, document } }, { transaction }) {
      transaction.add(countStep(orderId, `stored ${document.length} characters`));
    },
  },
});

export const handler = createHandler([billing, counterSaga('BillingCounter')]);

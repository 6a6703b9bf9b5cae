import { createHandler, defineHandlers } from 'sagabox';
import { billing } from './contracts.ts';

export const billingHandlers = defineHandlers({
  messages: billing.messages,
  replies: [billing],
  handlers: {
    ChargeCard({ body: { orderId } }, { reply }) {
      reply('CardCharged', { orderId });
    },
  },
});

export const handler = createHandler(billingHandlers);

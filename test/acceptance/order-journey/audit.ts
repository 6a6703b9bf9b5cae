import { createHandler, defineHandlers } from 'sagabox';
import { object, string } from 'valibot';
import { countStep } from './ledger.ts';

const audit = defineHandlers({
  messages: { OrderConfirmed: object({ orderId: string() }) },
  handlers: {
    OrderConfirmed({ body }, { transaction }) {
      transaction.add(countStep(body.orderId, 'audited'));
    },
  },
});

export const handler = createHandler(audit);

import { createHandler, defineHandlers } from 'sagabox';
import { object, string } from 'valibot';
import { countStep } from './ledger.ts';

const billing = defineHandlers({
  messages: { ChargeCard: object({ orderId: string() }) },
  handlers: {
    ChargeCard({ body }, { reply, transaction }) {
      transaction.add(countStep(body.orderId, 'billed'));
      reply('CardCharged', body);
    },
  },
});

export const handler = createHandler(billing);

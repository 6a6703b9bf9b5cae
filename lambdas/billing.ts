import { createHandler, defineHandlers } from 'sagabox';
import { number, object, string } from 'valibot';
import { countUp } from './ledger.ts';
import { sampleOptions } from './sample-options.ts';

const billing = defineHandlers({
  messages: {
    ChargeCard: object({ orderId: string(), total: number() }),
  },
  handlers: {
    async ChargeCard({ body: { orderId } }, { transaction, reply }) {
      transaction.add(countUp(process.env.CHARGES_TABLE, orderId, 'charges'));
      reply('CardCharged', { orderId });
    },
  },
});

export const handler = createHandler(billing, sampleOptions);

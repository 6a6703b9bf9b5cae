import { createHandler, defineHandlers } from 'sagabox';
import * as contracts from './contracts.ts';
import { countUp } from './ledger.ts';
import { sampleOptions } from './sample-options.ts';

export const billing = defineHandlers({
  messages: contracts.billing.messages,
  replies: [contracts.billing],
  handlers: {
    async ChargeCard({ body: { orderId } }, { transaction, reply }) {
      transaction.add(countUp(process.env.CHARGES_TABLE, orderId, 'charges'));
      reply('CardCharged', { orderId });
    },
  },
});

export const handler = createHandler(billing, sampleOptions);

import { createHandler, defineHandlers } from 'sagabox';
import * as contracts from './contracts.ts';
import { countUp } from './ledger.ts';
import { sampleOptions } from './sample-options.ts';

export const shipping = defineHandlers({
  messages: contracts.shipping.messages,
  replies: [contracts.shipping],
  handlers: {
    async ShipOrder({ body: { orderId } }, { transaction, reply }) {
      transaction.add(countUp(process.env.SHIPMENTS_TABLE, orderId, 'shipments'));
      reply('OrderShipped', { orderId });
    },
  },
});

export const handler = createHandler(shipping, sampleOptions);

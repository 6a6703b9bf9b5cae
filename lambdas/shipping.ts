import { createHandler, defineHandlers } from 'sagabox';
import { object, string } from 'valibot';
import { countUp } from './ledger.ts';
import { sampleOptions } from './sample-options.ts';

const shipping = defineHandlers({
  messages: {
    ShipOrder: object({ orderId: string() }),
  },
  handlers: {
    async ShipOrder({ body: { orderId } }, { transaction, reply }) {
      transaction.add(countUp(process.env.SHIPMENTS_TABLE, orderId, 'shipments'));
      reply('OrderShipped', { orderId });
    },
  },
});

export const handler = createHandler(shipping, sampleOptions);

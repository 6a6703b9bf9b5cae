import { createHandler, defineHandlers } from 'sagabox';
import * as z from 'zod';

const orders = defineHandlers({
  messages: { OrderPlaced: z.object({ orderId: z.string() }) },
  handlers: {
    OrderPlaced: ({ body }, { logger }) => logger.info('An order is placed', body),
  },
});

export const handler = createHandler(orders);

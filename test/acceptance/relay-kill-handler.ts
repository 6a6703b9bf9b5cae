import { createHandler, defineHandlers } from 'sagabox';
import { number, object } from 'valibot';

const orders = defineHandlers({
  messages: { Placed: object({ order: number() }) },
  handlers: {
    Placed({ body }, { send }) {
      send('target', 'Charge', body);
      send('target', 'Ship', body);
    },
  },
});

export const handler = createHandler(orders);

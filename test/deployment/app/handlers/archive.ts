/** Comes with the update, and subscribes to what is published already. */
import { createHandler, defineHandlers } from 'sagabox';
import { object, string } from 'valibot';
import { countStep } from './count-step.ts';

const archive = defineHandlers({
  messages: { OrderAudited: object({ orderId: string() }) },
  handlers: {
    OrderAudited({ body: { orderId } }, { transaction }) {
      transaction.add(countStep(orderId, 'archived'));
    },
  },
});

export const handler = createHandler(archive);

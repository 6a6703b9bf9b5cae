import { createHandler, defineHandlers } from 'sagabox';
import { object, string } from 'valibot';
import { countStep } from './count-step.ts';

const order = object({ orderId: string() });

/** What comes wrapped from the topic, and from the event bus as CloudEvents and as sagabox publishes it. */
export function auditHandler(version: string) {
  const audit = defineHandlers({
    messages: { GoodsOrdered: order, OrderAudited: order, 'shop.payment-seen': order },
    handlers: {
      GoodsOrdered({ body: { orderId } }, { transaction }) {
        transaction.add(countStep(orderId, 'goods audited', version));
      },
      OrderAudited({ body: { orderId } }, { transaction }) {
        transaction.add(countStep(orderId, 'audited', version));
      },
      'shop.payment-seen'({ body: { orderId } }, { transaction }) {
        transaction.add(countStep(orderId, 'payment seen', version));
      },
    },
  });
  return createHandler(audit);
}

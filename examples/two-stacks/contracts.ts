import { defineContract } from 'sagabox';
import * as z from 'zod';

const order = z.object({ orderId: z.string() });

/** What the team of the orders offers. */
export const orders = defineContract('orders', { OrderPlaced: order.extend({ cents: z.int() }) });

/** What the team of the billing offers. */
export const billing = defineContract(
  'billing',
  { ChargeCard: order.extend({ cents: z.int() }) },
  { replies: { CardCharged: order } },
);

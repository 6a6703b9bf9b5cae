import * as v from 'valibot';
import { orderHandler } from './order-handler.ts';

export const handler = orderHandler(v.object({ orderId: v.string(), total: v.number() }));

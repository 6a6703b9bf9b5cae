import * as z from 'zod';
import { orderHandler } from './order-handler.ts';

export const handler = orderHandler(z.object({ orderId: z.string(), total: z.number() }));

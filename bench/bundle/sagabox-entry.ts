import { orderHandler } from './order-handler.ts';

/** No schema library: what one weighs is not sagabox's. */
export const handler = orderHandler({
  '~standard': { version: 1, vendor: 'sagabox', validate: (value) => ({ value: value as never }) },
});

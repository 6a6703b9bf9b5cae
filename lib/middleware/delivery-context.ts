import type { Delivery } from '../flow/delivery.ts';

/** How sqsBatch hands the delivery of a record to the sagaOutbox inside the handler: out of sight in the Lambda context. */
export const deliveryOf: unique symbol = Symbol('sagabox.delivery');

export interface DeliveryContext {
  readonly [deliveryOf]?: Delivery;
}

import { randomUUID } from 'node:crypto';
import { itemSize } from 'sagabox';
import { Random } from '../../test/support/random.ts';
import type { Resources } from '../engines/resources.ts';
import { sagaItem } from '../engines/saga-items.ts';
import { newOrder, newParcel } from '../orders/order-data.ts';
import { eventOf, packed, placed, sagaName } from '../orders/order-messages.ts';
import { orderSaga } from '../orders/order-saga.ts';
import { startSagabox } from '../orders/sagabox.ts';

/** An order whose saga exists. */
export interface Order {
  readonly itemBytes: number;
  /** Delivers one message that changes the saga and sends one message. */
  pack(): Promise<void>;
}

const parcelBytes = 180;
/** The version of the saga grows by these. */
const spareBytes = 4;

/** @param bytes that the item of the saga has at most, and nearly, with its state as it is */
export async function placeOrder(resources: Resources, bytes: number, saga = orderSaga): Promise<Order> {
  const random = new Random(1);
  const deliver = startSagabox({}, saga)(resources);
  const place = async (stateBytes: number) => {
    const orderId = randomUUID();
    await deliver(eventOf([placed(orderId, newOrder(random, stateBytes))]));
    const item = await sagaItem(resources, { name: sagaName, id: orderId });
    if (item === undefined) throw new Error(`There is no saga of order ${orderId}`);
    return { orderId, itemBytes: itemSize(item) };
  };
  // Too small to be compressed.
  const trialBytes = 800;
  const aroundState = (await place(trialBytes)).itemBytes - trialBytes;
  const { orderId, itemBytes } = await place(bytes - aroundState - spareBytes);
  return {
    itemBytes,
    pack: () => deliver(eventOf([packed(orderId, [newParcel(random, parcelBytes)])])),
  };
}

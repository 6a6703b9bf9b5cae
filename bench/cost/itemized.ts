import { ItemizedPeer, isOperation, isSaga, operationOf } from '../peers/itemized.ts';
import type { ContenderType } from './contender.ts';
import { endpoint, type OrderMessage, shipParcel, shipping } from './order-messages.ts';
import type { OrderState } from './orders.ts';

/** The published layout and sequence of calls, with the same orders. */
export const itemized: ContenderType = {
  name: 'itemized',

  start({ queueUrl, ...clientsAndTable }) {
    const peer = new ItemizedPeer<OrderMessage, OrderState>({
      ...clientsAndTable,
      endpoint,
      sagaName: 'Order',
      destinations: { [shipping]: queueUrl },
      correlate: ({ body }) => body.orderId,
      decide: (message, state) => {
        const sends = message.body.parcels.map((body) => ({ destination: shipping, type: shipParcel, body }));
        if (message.type === 'OrderPlaced') return { state: message.body.order, sends };
        return state && { state: { ...state, status: 'packed' }, sends };
      },
    });
    return {
      async deliver(messages) {
        const failures = await peer.handleBatch(messages);
        for (const { error } of failures) throw error;
      },
    };
  },

  isSaga,
  operationsIn: (item) => (isOperation(item) ? [operationOf(item)] : []),
};

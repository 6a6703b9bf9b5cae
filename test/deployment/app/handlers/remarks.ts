/** A saga to which many messages append, without writing it. */
import { defineSaga } from 'sagabox';
import { object, string } from 'valibot';

const order = object({ orderId: string() });
const orderIdOf = ({ orderId }: { orderId: string }) => orderId;

export const remarksSaga = defineSaga({
  name: 'OrderRemarks',
  messages: { RemarksOpened: order, Remarked: order, RemarksRead: order },
  correlate: { RemarksOpened: orderIdOf, Remarked: orderIdOf, RemarksRead: orderIdOf },
  startedBy: ['RemarksOpened'],
  appendedBy: ['Remarked'],
  collectedBy: ['RemarksRead'],
  initialState: () => ({ read: 0 }),
  handlers: {
    RemarksOpened() {},
    Remarked(_message, { saga }) {
      saga.append('remarks', 'well packed');
    },
    async RemarksRead(_message, { saga }) {
      const { values } = await saga.collect('remarks');
      saga.state.read += values.length;
    },
  },
});

/** Sagas with an embedded outbox: alone in their item, and with writes of their own beside it; and handlers with records. */
import { createHandler, defineSaga, embeddedOutbox } from 'sagabox';
import { object, string } from 'valibot';
import { countStep } from './count-step.ts';
import { counterSaga } from './counter.ts';
import { fleetHandlers } from './delivery.ts';
import { largeText } from './large-text.ts';

const order = object({ orderId: string() });
const orderIdOf = ({ orderId }: { orderId: string }) => orderId;

const parcel = defineSaga({
  name: 'ProofParcel',
  outbox: embeddedOutbox(),
  messages: { PackParcel: order, ParcelPacked: order, ParcelCounted: order },
  correlate: { PackParcel: orderIdOf, ParcelPacked: orderIdOf, ParcelCounted: orderIdOf },
  startedBy: ['PackParcel'],
  initialState: () => ({ isPacked: false }),
  handlers: {
    PackParcel({ body: { orderId } }, { saga, send, transaction }) {
      transaction.add(countStep(orderId, 'parcel packed'));
      saga.state.isPacked = true;
      send('parcels', 'ParcelPacked', { orderId, label: largeText });
    },
    ParcelPacked({ body: { orderId } }, { saga, send, transaction }) {
      transaction.add(countStep(orderId, 'parcel sent'));
      // Comes when the saga is over, and is discarded.
      send('parcels', 'ParcelCounted', { orderId });
      saga.complete();
    },
    ParcelCounted({ body: { orderId } }, { transaction }) {
      transaction.add(countStep(orderId, 'parcel counted'));
    },
  },
});

export const handler = createHandler([
  fleetHandlers,
  parcel,
  counterSaga('ParcelsCounter', 'orders', embeddedOutbox()),
]);

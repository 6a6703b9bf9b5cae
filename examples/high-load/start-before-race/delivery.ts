import { defineSaga } from 'sagabox';
import * as z from 'zod';

const planned = z.object({ deliveryId: z.string() });
const scanned = z.object({ deliveryId: z.string(), parcel: z.number() });
const correlate = {
  DeliveryPlanned: (body: { deliveryId: string }) => body.deliveryId,
  ParcelScanned: (body: { deliveryId: string }) => body.deliveryId,
};

/** Starts with whichever parcel comes first: they are scanned within one second. */
export const racingSaga = defineSaga({
  name: 'RacingDelivery',
  messages: { ParcelScanned: scanned },
  correlate: { ParcelScanned: correlate.ParcelScanned },
  startedBy: ['ParcelScanned'],
  initialState: () => ({ parcels: 0 }),
  handlers: {
    ParcelScanned(_message, { saga }) {
      saga.state.parcels += 1;
    },
  },
});

/** Starts when the delivery is planned, hours before its parcels are scanned. */
export const plannedSaga = defineSaga({
  name: 'PlannedDelivery',
  messages: { DeliveryPlanned: planned, ParcelScanned: scanned },
  correlate,
  startedBy: ['DeliveryPlanned'],
  initialState: () => ({ parcels: 0 }),
  handlers: {
    DeliveryPlanned() {},
    ParcelScanned(_message, { saga }) {
      saga.state.parcels += 1;
    },
  },
});

import { defineSaga } from 'sagabox';
import { z } from 'zod';
import { carrier, type ShipmentState, shipParcel } from './shipment-messages.ts';

export const sagaName = 'Shipment';

export const shipmentSaga = defineSaga({
  name: sagaName,
  messages: {
    ShipmentOpened: z.object({ shipmentId: z.string(), manifest: z.string() }),
    ParcelPacked: z.object({
      shipmentId: z.string(),
      parcel: z.object({ parcelId: z.string(), note: z.string() }),
    }),
  },
  correlate: { ShipmentOpened: (m) => m.shipmentId, ParcelPacked: (m) => m.shipmentId },
  startedBy: ['ShipmentOpened'],
  initialState: (): ShipmentState => ({ packed: 0, manifest: '' }),
  handlers: {
    ShipmentOpened(message, { saga }) {
      saga.state.manifest = message.body.manifest;
    },
    ParcelPacked(message, { saga, send }) {
      saga.state.packed += 1;
      send(carrier, shipParcel, message.body.parcel);
    },
  },
});

import { headerNames } from 'sagabox';
import type { SqsEventRecord } from '../../lib/local/lambda/sqs-event.ts';
import { ItemizedPeer } from '../peers/itemized.ts';
import type { StartContender } from './contender.ts';
import {
  carrier,
  endpoint,
  type ShipmentMessage,
  type ShipmentState,
  shipParcel,
} from './shipment-messages.ts';
import { sagaName } from './shipment-saga.ts';

/** The published layout and sequence of calls, with the same shipments. */
export const startItemized: StartContender = ({ queueUrl, ...clientsAndTable }) => {
  const peer = new ItemizedPeer<ShipmentMessage, ShipmentState>({
    ...clientsAndTable,
    endpoint,
    sagaName,
    destinations: { [carrier]: queueUrl },
    correlate: ({ body }) => body.shipmentId,
    decide(message, state) {
      if (message.type === 'ShipmentOpened') {
        return { state: { packed: 0, manifest: message.body.manifest }, sends: [] };
      }
      if (state === undefined) throw new Error(`Shipment ${message.body.shipmentId} was never opened`);
      const sends = [{ destination: carrier, type: shipParcel, body: message.body.parcel }];
      return { state: { ...state, packed: state.packed + 1 }, sends };
    },
  });
  return {
    async deliver({ Records }) {
      const failures = await peer.handleBatch(Records.map(messageOf));
      for (const { error } of failures) throw error;
    },
  };
};

function messageOf({ body, messageAttributes }: SqsEventRecord): ShipmentMessage {
  return {
    id: messageAttributes[headerNames.messageId]?.stringValue,
    type: messageAttributes[headerNames.messageType]?.stringValue,
    body: JSON.parse(body),
  } as ShipmentMessage;
}

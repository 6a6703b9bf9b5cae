import { headerNames } from 'sagabox';
import type { SqsEventRecord } from '../../lib/local/lambda/sqs-event.ts';
import { ItemizedPeer } from '../peers/itemized.ts';
import type { StartContender } from './contender.ts';
import type { OrderState } from './order-data.ts';
import { endpoint, type OrderMessage, sagaName, shipParcel, shipping } from './order-messages.ts';

/** The published layout and sequence of calls, with the same orders. */
export const startItemized: StartContender = ({ queueUrl, ...clientsAndTable }) => {
  const peer = new ItemizedPeer<OrderMessage, OrderState>({
    ...clientsAndTable,
    endpoint,
    sagaName,
    destinations: { [shipping]: queueUrl },
    correlate: ({ body }) => body.orderId,
    decide: (message, state) => {
      const sends = message.body.parcels.map((body) => ({ destination: shipping, type: shipParcel, body }));
      if (message.type === 'OrderPlaced') return { state: message.body.order, sends };
      return state && { state: { ...state, lastMessageId: message.id }, sends };
    },
  });
  return async ({ Records }) => {
    const [failure] = await peer.handleBatch(Records.map(messageOf));
    if (failure) throw failure.error;
  };
};

function messageOf({ body, messageAttributes }: SqsEventRecord): OrderMessage {
  return {
    id: messageAttributes[headerNames.messageId]?.stringValue,
    type: messageAttributes[headerNames.messageType]?.stringValue,
    body: JSON.parse(body),
  } as OrderMessage;
}

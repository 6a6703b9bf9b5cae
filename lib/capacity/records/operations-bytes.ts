import { headerNames } from '../../core/incoming/headers.ts';
import type { OutgoingMessage } from '../../core/incoming/message.ts';
import { decodedBytes, encodeOperations } from '../../core/outbox/operations-encoding.ts';
import { pack } from '../../core/outbox/packing.ts';
import { outgoingMessageId } from '../../core/outgoing/message-id.ts';
import { utf8Bytes } from '../../core/storage/item-size.ts';
import type { WholeShape } from '../shape-defaults.ts';
import { writesSaga } from './saga-item-bytes.ts';

/** What the outgoing messages of a record take together. */
export interface OperationsBytes {
  readonly stored: number;
  /** Those that count against the limit of a record. */
  readonly counted: number;
}

/** Names and ids of a usual length: where those of an endpoint are longer, the plan takes them for bodies. */
export const usual = {
  id: '00000000-0000-0000-0000-000000000000',
  sagaName: 'Measured',
  messageType: 'Sent',
  sentAt: '2026-01-01T00:00:00.000Z',
} as const;

export function usualDestination(index: number, destinations: number): string {
  return `q${String((index % destinations) + 1).padStart(String(destinations).length, '0')}`;
}

export function bytesOfOperations(shape: WholeShape, endpointBytes: number): OperationsBytes {
  const { outgoing, messageBytes } = shape;
  const identity = { endpoint: 'e'.repeat(endpointBytes), messageId: usual.id };
  const messages = [0, 1, 2].map((index) => messageWithoutBody(shape, identity.endpoint, index));
  const [first] = messages;
  const bodyBytes = Math.max(0, messageBytes - utf8Bytes(JSON.stringify(first)));
  const [one = 0, two = 0, three = 0] = [1, 2, 3].map(
    (count) => pack(messages.slice(0, count), identity).byteLength,
  );
  // From two on, each further one takes as much as the one before.
  const withoutBodies = outgoing < 2 ? one : two + (outgoing - 2) * (three - two);
  const stored = Math.round(withoutBodies + outgoing * bodyBytes);
  const { common } = encodeOperations(messages.slice(0, outgoing), identity);
  return { stored, counted: decodedBytes(stored, outgoing, common) };
}

function messageWithoutBody(shape: WholeShape, endpoint: string, index: number): OutgoingMessage {
  return {
    id: outgoingMessageId(usual.id, endpoint, index),
    destination: usualDestination(index, shape.destinations),
    type: usual.messageType,
    body: '',
    headers: {
      [headerNames.conversationId]: usual.id,
      [headerNames.causationId]: usual.id,
      ...(shape.sagaBytes > 0 && {
        [headerNames.saga]: usual.sagaName,
        [headerNames.correlationId]: usual.id,
        ...(writesSaga(shape) && { [headerNames.sagaVersion]: `1.${index}` }),
      }),
      [headerNames.replyTo]: endpoint,
      [headerNames.sentAt]: usual.sentAt,
    },
  };
}

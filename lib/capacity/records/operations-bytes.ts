import { utf8Bytes } from '../../dynamodb/item-size.ts';
import { limits } from '../../kernel/limits.ts';
import type { Destination } from '../../messages/destinations/destination.ts';
import type { IncomingMessage, OutgoingOperation } from '../../messages/message.ts';
import { decodedBytes, encodeOperations } from '../../outbox/operations-encoding.ts';
import { pack } from '../../outbox/packing.ts';
import { PendingTimeouts } from '../../sending/pending-timeouts.ts';
import { withSagaVersion } from '../../sending/saga-version.ts';
import { UnitOfWork } from '../../sending/unit-of-work.ts';
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
  sentAt: new Date('2026-01-01T00:00:00.000Z'),
} as const;

export function usualDestination(index: number, destinations: number): string {
  return `q${String((index % destinations) + 1).padStart(String(destinations).length, '0')}`;
}

export function bytesOfOperations(shape: WholeShape, endpointBytes: number): OperationsBytes {
  const { outgoing, messageBytes } = shape;
  const identity = { endpoint: 'e'.repeat(endpointBytes), messageId: usual.id };
  const messages = messagesWithoutBodies(shape, identity.endpoint, 3);
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

/** What a handler of this shape sends, as the runtime composes it, without bodies. */
function messagesWithoutBodies(
  shape: WholeShape,
  endpoint: string,
  count: number,
): readonly OutgoingOperation[] {
  const destinations = Array.from({ length: count }, (_, index) =>
    usualDestination(index, shape.destinations),
  );
  const identity = { name: usual.sagaName, id: usual.id };
  const work = new UnitOfWork({
    // Outgoing messages carry only its id and its headers.
    message: { id: usual.id, headers: {} } as IncomingMessage,
    endpoint,
    saga: shape.sagaBytes > 0 ? { identity, timeouts: new PendingTimeouts(), messageTypes: [] } : undefined,
    sending: { ...sending, destinations: new Map(destinations.map((name) => [name, queue(name)])) },
    dispatchNow: async () => {},
    now: usual.sentAt,
  });
  for (const name of destinations) work.context.send(name, usual.messageType, '');
  return withSagaVersion(work.operations, writesSaga(shape) ? 1 : undefined);
}

const sending = {
  publishTo: {},
  schedules: false,
  claimCheckThresholdBytes: undefined,
  claimCheckRetentionSeconds: undefined,
  format: 'plain',
  validateOutgoing: false,
} as const;

function queue(name: string): Destination {
  return { kind: 'queue', name, queueUrl: '', fifo: false, maxMessageSizeBytes: limits.messageBytes };
}

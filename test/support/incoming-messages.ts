import { readEnvelope } from '../../lib/messages/envelope.ts';
import type { IncomingMessage, JsonValue, OutgoingMessage } from '../../lib/messages/message.ts';
import { wireAttributes, wireBody } from '../../lib/messages/wire-format/wire.ts';
import { record } from './queue.ts';

/** An outgoing message as its receiver reads it. */
export function received(message: OutgoingMessage): IncomingMessage {
  const body: JsonValue = JSON.parse(wireBody(message));
  const attributes = Object.entries(wireAttributes(message)).map(
    ([name, stringValue]) => [name, { dataType: 'String', stringValue }] as const,
  );
  return readEnvelope(
    record(message.type, body, message.id, { messageAttributes: Object.fromEntries(attributes) }),
  );
}

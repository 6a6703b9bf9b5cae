import { readEnvelope } from '../../lib/core/incoming/envelope.ts';
import type { IncomingMessage, JsonValue, OutgoingMessage } from '../../lib/core/incoming/message.ts';
import { wireAttributes, wireBody } from '../../lib/core/wire-format/wire.ts';
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

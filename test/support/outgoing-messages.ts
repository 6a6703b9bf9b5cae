import type { JsonValue, OutgoingMessage } from '../../lib/messages/message.ts';
import { pack } from '../../lib/outbox/packing.ts';

/** A message as a handler of the 'orders' endpoint would have sent it. */
export function outgoingMessage(overrides: Partial<OutgoingMessage> = {}): OutgoingMessage {
  return {
    id: 'out-1',
    destination: 'billing',
    type: 'ChargeCard',
    body: { orderId: '42' },
    headers: { 'Sagabox.CausationId': 'in-1' },
    ...overrides,
  };
}

/** Messages to one destination with the ids '<destination>-0' and so on. */
export function numberedMessages(count: number, destination = 'billing'): OutgoingMessage[] {
  return Array.from({ length: count }, (_, index) =>
    outgoingMessage({ id: `${destination}-${index}`, destination }),
  );
}

/** One message whose packed operations take exactly so many bytes in a record of the 'orders' endpoint. */
export function operationsOfSize(packedBytes: number, fill = 'x', messageId = 'in-1'): OutgoingMessage[] {
  const withText = (text: JsonValue) => [outgoingMessage({ body: { text } })];
  const overhead = pack(withText(''), { endpoint: 'orders', messageId }).byteLength;
  return withText(fill.repeat(packedBytes - overhead));
}

/**
 * A message that takes exactly so many bytes of SQS's limits: its body, and name, data type and value of each
 * attribute. Counted by hand here, so that it can tell on the code that counts them.
 */
export function wireMessageOfSize(
  bytes: number,
  overrides: Partial<OutgoingMessage> = {},
  fill = 'x',
): OutgoingMessage {
  const message = outgoingMessage(overrides);
  const attributes = {
    ...message.headers,
    'Sagabox.MessageId': message.id,
    'Sagabox.MessageType': message.type,
  };
  const utf8 = (text: string) => new TextEncoder().encode(text).byteLength;
  let rest = bytes - '""'.length;
  for (const [name, value] of Object.entries(attributes)) rest -= utf8(name) + utf8('String') + utf8(value);
  const fills = Math.floor(rest / utf8(fill));
  return { ...message, body: fill.repeat(fills) + 'y'.repeat(rest - fills * utf8(fill)) };
}

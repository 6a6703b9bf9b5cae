import type { JsonValue, OutgoingMessage } from '../../lib/core/message.ts';
import { pack } from '../../lib/core/packing.ts';

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

/** One message whose packed operations take exactly so many bytes. */
export function operationsOfSize(packedBytes: number, fill = 'x'): OutgoingMessage[] {
  const withText = (text: JsonValue) => [outgoingMessage({ body: { text } })];
  const overhead = pack(withText('')).byteLength;
  return withText(fill.repeat(packedBytes - overhead));
}

import { createHash } from 'node:crypto';
import type { OutgoingMessage } from '../../lib/messages/message.ts';
import { outgoingMessageId } from '../../lib/messages/message-id.ts';

export const INCOMING_ID = '5f0c6a35-5b0e-4c6c-9a51-0d6a4a4f6a11';
const products = ['Desk lamp', 'Office chair', 'Notebook A5', 'Fountain pen', 'Monitor arm', 'Keyboard'];
const cities = ['Kraków', 'Utrecht', 'Porto', 'Aarhus', 'Lyon', 'Tampere'];

/**
 * Messages of about 500 bytes each, as the handler of one order might send them: names repeat, ids and
 * amounts do not.
 */
export function sampleOperations(count: number): OutgoingMessage[] {
  return Array.from({ length: count }, (_, index) => ({
    id: outgoingMessageId(INCOMING_ID, 'orders', index),
    destination: 'warehouse',
    type: 'ReserveStock',
    body: {
      orderId: uuidOf(`order ${index % 7}`),
      customerId: uuidOf(`customer ${index % 3}`),
      product: pick(products, index),
      sku: uuidOf(`sku ${index}`).slice(0, 8).toUpperCase(),
      quantity: 1 + (index % 5),
      price: { amount: (numberOf(`price ${index}`, 100_000) / 100).toFixed(2), currency: 'EUR' },
      city: pick(cities, numberOf(`city ${index}`, 100)),
    },
    headers: {
      'Sagabox.ConversationId': uuidOf('conversation'),
      'Sagabox.CausationId': INCOMING_ID,
      'Sagabox.ReplyTo': 'orders',
      'Sagabox.SentAt': '2026-01-02T03:04:05.678Z',
    },
  }));
}

function pick(names: readonly string[], index: number): string {
  return names[index % names.length] ?? '';
}

function numberOf(seed: string, below: number): number {
  return Number.parseInt(hashOf(seed).slice(0, 8), 16) % below;
}

function uuidOf(seed: string): string {
  return hashOf(seed).replace(/^(.{8})(.{4})(.{4})(.{4})(.{12}).*$/, '$1-$2-$3-$4-$5');
}

function hashOf(seed: string): string {
  return createHash('sha256').update(seed).digest('hex');
}

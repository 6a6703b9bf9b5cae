import type { OutgoingMessage } from './message.ts';

/**
 * More packed bytes than this go to chunks, each an item of its own: below the 400 KB of an item, with room for its key.
 */
export const MAXIMUM_PACKED_ITEM_BYTES = 350 * 1024;

/** All outgoing messages of one message in as few items as possible: DynamoDB rounds every item up by itself. */
export function pack(operations: readonly OutgoingMessage[]): Uint8Array {
  return new TextEncoder().encode(JSON.stringify(operations));
}

/** @throws Error when the bytes are not what `pack` made. */
export function unpack(packed: Uint8Array): OutgoingMessage[] {
  const operations: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(packed));
  if (!Array.isArray(operations) || !operations.every(isOutgoingMessage)) {
    throw new Error('it holds no outgoing messages');
  }
  return operations;
}

/** The pieces that do not fit into the record: none for up to {@link MAXIMUM_PACKED_ITEM_BYTES}. */
export function chunksOf(packed: Uint8Array): Uint8Array[] {
  if (packed.byteLength <= MAXIMUM_PACKED_ITEM_BYTES) return [];
  const chunks: Uint8Array[] = [];
  for (let start = 0; start < packed.byteLength; start += MAXIMUM_PACKED_ITEM_BYTES) {
    chunks.push(packed.subarray(start, start + MAXIMUM_PACKED_ITEM_BYTES));
  }
  return chunks;
}

export function joinChunks(chunks: readonly Uint8Array[]): Uint8Array {
  return Buffer.concat(chunks);
}

function isOutgoingMessage(value: unknown): value is OutgoingMessage {
  const message = value as Partial<OutgoingMessage> | null;
  return (
    typeof message === 'object' &&
    message !== null &&
    typeof message.id === 'string' &&
    typeof message.destination === 'string' &&
    typeof message.type === 'string' &&
    typeof message.headers === 'object' &&
    'body' in message
  );
}

import type { OutgoingMessage } from '../../core/incoming/message.ts';

export interface BatchLimits {
  readonly maxEntries: number;
  readonly maxBytes: number;
  /** Whether messages of one group have an order to keep. */
  readonly inOrder: boolean;
  /** Bytes of a message that count against the maximum. */
  bytesOf(message: OutgoingMessage): number;
}

/**
 * In their order, as many messages to a batch as fit: by number and by bytes, and, where they have an order,
 * one of each group. A service may refuse one entry of a batch and take the next, which would turn their
 * order round.
 */
export function messageBatches(
  messages: readonly OutgoingMessage[],
  { maxEntries, maxBytes, inOrder, bytesOf }: BatchLimits,
): OutgoingMessage[][] {
  const batches: OutgoingMessage[][] = [];
  let batchBytes = 0;
  for (const message of messages) {
    const bytes = bytesOf(message);
    const batch = batches.at(-1);
    const fits =
      batch !== undefined &&
      batch.length < maxEntries &&
      batchBytes + bytes <= maxBytes &&
      !(inOrder && batch.some((other) => isSameGroup(other.messageGroupId, message.messageGroupId)));
    if (fits) {
      batch.push(message);
      batchBytes += bytes;
    } else {
      batches.push([message]);
      batchBytes = bytes;
    }
  }
  return batches;
}

function isSameGroup(one: string | undefined, other: string | undefined): boolean {
  return one !== undefined && one === other;
}

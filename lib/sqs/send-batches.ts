import { limits } from '../core/limits.ts';
import type { OutgoingMessage } from '../core/message.ts';
import { wireBytes } from '../core/wire.ts';

/**
 * In their order, as many messages to a batch as SQS takes: by number and by bytes, and one of each FIFO group: SQS may refuse
 * one entry of a batch and take the next, which would turn their order round.
 */
export function batchesOf(messages: readonly OutgoingMessage[]): OutgoingMessage[][] {
  const batches: OutgoingMessage[][] = [];
  let batchBytes = Number.POSITIVE_INFINITY;
  for (const message of messages) {
    const bytes = wireBytes(message);
    const batch = batches.at(-1);
    const fits =
      batch !== undefined &&
      batch.length < limits.sendBatchEntries &&
      batchBytes + bytes <= limits.sendBatchBytes &&
      !batch.some(({ messageGroupId }) => isSameGroup(messageGroupId, message.messageGroupId));
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

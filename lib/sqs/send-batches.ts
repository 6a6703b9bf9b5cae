import { limits } from '../core/limits.ts';
import type { OutgoingMessage } from '../core/message.ts';
import { wireBytes } from '../core/outgoing.ts';

/** In their order, as many messages to a batch as SQS takes: by number and by bytes. */
export function batchesOf(messages: readonly OutgoingMessage[]): OutgoingMessage[][] {
  const batches: OutgoingMessage[][] = [];
  let batchBytes = Number.POSITIVE_INFINITY;
  for (const message of messages) {
    const bytes = wireBytes(message);
    const batch = batches.at(-1);
    if (batch && batch.length < limits.sendBatchEntries && batchBytes + bytes <= limits.sendBatchBytes) {
      batch.push(message);
      batchBytes += bytes;
    } else {
      batches.push([message]);
      batchBytes = bytes;
    }
  }
  return batches;
}

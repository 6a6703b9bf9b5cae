import type { OutgoingMessage } from '../../core/incoming/message.ts';
import { limits } from '../../core/limits.ts';
import { wireBytes } from '../../core/wire-format/wire.ts';
import { messageBatches } from '../shared/message-batches.ts';

/**
 * In their order, as many messages to a batch as SQS takes.
 *
 * @param fifo on a standard queue a group implies no order
 */
export function batchesOf(messages: readonly OutgoingMessage[], fifo: boolean): OutgoingMessage[][] {
  return messageBatches(messages, {
    maxEntries: limits.sendBatchEntries,
    maxBytes: limits.sendBatchBytes,
    inOrder: fifo,
    bytesOf: wireBytes,
  });
}

import { limits } from '../kernel/limits.ts';
import { messagesPerCall, messagesPerDestination } from './dispatch-step.ts';
import type { WholeShape } from './shape-defaults.ts';
import { sum } from './steps.ts';

/** Source: "Amazon SQS pricing": each 64 KB of a payload are a request. */
const REQUEST_BYTES = 64 * 1024;

/**
 * Requests to SQS that are charged for one delivery: its share of the receive and the delete of its batch,
 * and the sends of what it leaves outgoing. The incoming messages of a batch are taken to be at most 64 KB
 * together; receives that find an empty queue, of which Lambda makes some when there is little to do, are
 * left out.
 */
export function queueRequestsPerDelivery(shape: WholeShape, batchSize: number): number {
  // A receive and a delete take as many messages as a send.
  const receiveAndDelete = 2 / Math.min(batchSize, limits.sendBatchEntries);
  const sendingShare = shape.outbox ? 1 - shape.duplicateRate : 1;
  const sends = sum(messagesPerDestination(shape), (count) =>
    sendRequests(count, shape.messageBytes, batchSize),
  );
  return receiveAndDelete + sendingShare * sends;
}

/** Full calls by itself; what is left shares a call with what other messages of the batch have left. */
function sendRequests(count: number, messageBytes: number, batchSize: number): number {
  const perCall = messagesPerCall(messageBytes);
  const fullCalls = Math.floor(count / perCall);
  const left = count % perCall;
  const full = fullCalls * chargedRequests(perCall * messageBytes);
  if (left === 0) return full;
  const sharedBy = Math.min(batchSize, limits.sendBatchEntries, Math.floor(perCall / left));
  return full + chargedRequests(sharedBy * left * messageBytes) / sharedBy;
}

function chargedRequests(bytes: number): number {
  return Math.max(1, Math.ceil(bytes / REQUEST_BYTES));
}

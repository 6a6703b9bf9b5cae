import { limits } from '../kernel/limits.ts';
import type { PlannedStep } from './message-shape.ts';
import type { WholeShape } from './shape-defaults.ts';
import { stepOf, sum } from './steps.ts';

/**
 * How many messages of this size one call takes: by number, and by bytes. A message is about as large on its
 * way as it is kept.
 */
export function messagesPerCall(messageBytes: number): number {
  return Math.max(1, Math.min(limits.sendBatchEntries, Math.floor(limits.sendBatchBytes / messageBytes)));
}

/** How many messages each of the queues gets. */
export function messagesPerDestination({ outgoing, destinations }: WholeShape): number[] {
  const used = Math.min(destinations, outgoing);
  return Array.from({ length: used }, (_, index) => Math.floor((outgoing + used - 1 - index) / used));
}

export function dispatchSteps(shape: WholeShape): PlannedStep[] {
  if (shape.outgoing === 0) return [];
  const perCall = messagesPerCall(shape.messageBytes);
  const calls = sum(messagesPerDestination(shape), (count) => Math.ceil(count / perCall));
  const items = shape.outgoing;
  return [stepOf({ step: 'dispatch', operation: 'SendMessageBatch', calls, items, table: undefined })];
}

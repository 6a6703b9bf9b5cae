import type { IncomingMessage } from '../../lib/core/incoming/message.ts';
import { type Attempt, type Flow, startAttempt } from '../../lib/flow/attempt.ts';
import { Delivery, type DeliveryDeadline } from '../../lib/flow/batch/delivery.ts';
import { SagaTurns } from '../../lib/flow/batch/saga-turns.ts';

/** Of an invocation without an end. */
export const noDeadline: DeliveryDeadline = {
  assertTimeToStart: () => {},
  remainingMs: Number.POSITIVE_INFINITY,
  startableForMs: Number.POSITIVE_INFINITY,
  untilGiveUp: (call) => call(new AbortController().signal),
};

export function newDelivery(turns = new SagaTurns(), deadline = noDeadline): Delivery {
  return new Delivery(turns, deadline);
}

/** An attempt with a delivery of its own, which is never aborted, unless the test says so. */
export function attemptAt(
  flow: Flow,
  received: IncomingMessage,
  {
    delivery = newDelivery(),
    signal = new AbortController().signal,
  }: Partial<Pick<Attempt, 'delivery' | 'signal'>> = {},
): Attempt {
  return startAttempt(flow, received, { delivery, signal });
}

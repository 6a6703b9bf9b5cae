import type { Attempt } from '../attempt/attempt.ts';
import { reportMetric } from '../attempt/report.ts';
import { SagaboxError } from '../kernel/errors/errors.ts';

/**
 * Counts a message under whose id another message was committed.
 *
 * @returns the error to throw, before anything is done with the committed message
 */
export async function reusedId(attempt: Attempt): Promise<SagaboxError<'MessageIdReused'>> {
  const { flow, received } = attempt;
  await reportMetric(attempt, 'messageIdReused', 'Count', 1);
  const facts = { endpoint: flow.endpoint, messageId: received.id, messageType: received.type };
  return new SagaboxError('MessageIdReused', facts);
}

import { describeError, type FailureFacts } from '../../core/failures/failure-facts.ts';
import { deduplicationIdOf } from '../../core/incoming/envelope.ts';
import { messageGroupIdOf, queueArnOf } from '../../core/incoming/record-fields.ts';
import type { InvocationTime } from '../batch/invocation-time.ts';
import type { MessageFailure, Recoverability } from './recoverability.ts';

/**
 * Sends a failed message to the error queue, if there is one. An abandoned forward may still arrive: the
 * message then exists twice.
 *
 * @returns whether the error queue has the message
 */
export async function forward(
  failure: MessageFailure,
  { endpoint, errorQueue, queueUrlOf, observer, now }: Recoverability,
  time: InvocationTime,
): Promise<boolean> {
  const { error, record, message, receiveCount } = failure;
  if (errorQueue === undefined) return false;
  const messageGroupId = messageGroupIdOf(record);
  const messageId = message?.id ?? deduplicationIdOf(record);
  const facts: FailureFacts = {
    ...(endpoint === undefined ? {} : { endpoint }),
    queue: queueUrlOf(record) ?? queueArnOf(record) ?? '',
    failedAt: now().toISOString(),
    ...describeError(error),
    receiveCount,
    ...(messageGroupId === undefined ? {} : { messageGroupId }),
  };
  try {
    await time.untilEnd(async (signal) => await errorQueue.forward(record, messageId, facts, signal));
  } catch (forwardError) {
    observer.forwardFailed(failure, forwardError);
    return false;
  }
  observer.forwarded(failure);
  return true;
}

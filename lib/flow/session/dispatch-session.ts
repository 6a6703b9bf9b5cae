import { failureFields } from '../../core/logs/log-fields.ts';
import type { OutboxRecord } from '../../core/outbox/record.ts';
import { dispatchAndMark } from '../dispatch.ts';
import type { SessionAttempt } from './session-attempt.ts';

/**
 * Sends what a committed session left, and marks its record. Never throws: the caller has its answer whatever
 * becomes of it, and the relay sends the rest. But once it has answered, nothing is started.
 *
 * @returns whether all is sent, and marked
 */
export async function dispatchSession(attempt: SessionAttempt, record: OutboxRecord): Promise<boolean> {
  const { flow, delivery, meter, signal, logger } = attempt;
  if (record.operations.length === 0 && record.dispatched) return true;
  delivery.assertOngoing();
  try {
    // It is waited for no longer than an answer can still be given. By then nothing new is started, as the
    // signal is aborted.
    await delivery.deadline.untilGiveUp(() => dispatchAndMark(flow, record, { meter, signal, delivery }));
    return true;
  } catch (error) {
    logger.warn(
      'A committed session is answered before all of its messages are sent: the outbox keeps them for the relay',
      failureFields(error),
    );
    return false;
  }
}

import { failureFields } from '../../observe/logs/log-fields.ts';
import type { OutboxRecord } from '../../outbox/record.ts';
import { dispatchAndMark } from '../../pipeline/dispatch.ts';
import type { SessionAttempt } from './session-attempt.ts';

/**
 * Sends the messages of a committed session, and marks its record. A failure is only logged: the caller gets
 * its answer anyway, and the relay sends the rest.
 *
 * @returns whether all is sent, and marked
 * @throws Error once the delivery has ended: nothing may be started then
 */
export async function dispatchSession(attempt: SessionAttempt, record: OutboxRecord): Promise<boolean> {
  const { flow, delivery, meter, signal, logger } = attempt;
  if (record.operations.length === 0 && record.dispatched) return true;
  delivery.assertOngoing();
  try {
    // The wait ends while an answer can still be given. The signal is aborted by then, so that nothing new
    // starts.
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

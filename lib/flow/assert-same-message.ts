import { SagaboxError } from '../core/failures/errors.ts';
import { differenceOf } from '../core/incoming/fingerprint.ts';
import { messageFacts } from '../core/incoming/message-logger.ts';
import type { OutboxRecord } from '../core/outbox/commit.ts';
import type { Attempt } from './attempt.ts';
import { reportEvent } from './report.ts';

/**
 * Refuses a record of another message type under the same id. Another body is a duplicate with a warning:
 * senders often add a timestamp or an attempt number to what they repeat.
 *
 * @throws SagaboxError `MessageIdReused`, before anything is done with the record
 */
export async function assertSameMessage(attempt: Attempt, record: OutboxRecord): Promise<void> {
  const { flow, received, fingerprint, logger } = attempt;
  const difference = record.fingerprint && differenceOf(record.fingerprint, fingerprint);
  if (difference === undefined) return;
  const { endpoint } = flow;
  const { id: messageId, type: messageType } = received;
  if (difference === 'type') throw new SagaboxError('MessageIdReused', { endpoint, messageId, messageType });
  logger.warn('A duplicate has another body than the message that was committed under its id', {});
  await reportEvent(flow.hooks, attempt, { type: 'bodyMismatch', ...messageFacts(endpoint, received) });
}

import type { Attempt } from '../../attempt/attempt.ts';
import type { QueueEntry } from '../../attempt/saga-queue/queue-entry.ts';
import { beforeAbort } from '../../kernel/async/before-abort.ts';
import type { OutboxRecord } from '../../outbox/record.ts';

/** Finds the record of a message that was committed before, unless it is known that there is none. */
export function findRecord(attempt: Attempt, queueEntry?: QueueEntry): Promise<OutboxRecord | undefined> {
  const { flow, received, meter, signal } = attempt;
  if (queueEntry?.isKnownAbsent) return Promise.resolve(undefined);
  const finding = flow.ports.outbox.find(received.id, meter);
  // An abandoned read has no effect.
  return beforeAbort(queueEntry ? queueEntry.noteAbsence(finding) : finding, signal);
}

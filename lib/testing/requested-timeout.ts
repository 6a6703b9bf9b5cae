import { isCancellation, type OutgoingMessage, type OutgoingOperation } from '../core/incoming/message.ts';

/** A message that an endpoint sent to itself, for later. */
export interface RequestedTimeout extends Omit<OutgoingMessage, 'dueAt' | 'delaySeconds'> {
  readonly dueAt: Date;
}

export interface SentMessages {
  readonly outgoing: OutgoingMessage[];
  readonly timeouts: RequestedTimeout[];
}

/** Tells what an endpoint sent to itself for later from what it sent to others. */
export function separateTimeouts(
  sent: readonly OutgoingOperation[],
  endpoint: string,
  sentAt: Date,
): SentMessages {
  const separated: SentMessages = { outgoing: [], timeouts: [] };
  for (const operation of sent) {
    if (isCancellation(operation)) continue;
    const { delaySeconds, dueAt, ...message } = operation;
    const waits = delaySeconds !== undefined || dueAt !== undefined;
    if (operation.destination !== endpoint || !waits) separated.outgoing.push(operation);
    else {
      const due = dueAt ?? sentAt.getTime() + (delaySeconds ?? 0) * 1000;
      separated.timeouts.push({ ...message, dueAt: new Date(due) });
    }
  }
  return separated;
}

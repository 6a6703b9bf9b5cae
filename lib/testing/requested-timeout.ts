import type { OutgoingMessage } from '../core/message.ts';

/** A message that an endpoint sent to itself, for later. */
export interface RequestedTimeout extends OutgoingMessage {
  readonly dueAt: Date;
}

export interface SentMessages {
  readonly outgoing: OutgoingMessage[];
  readonly timeouts: RequestedTimeout[];
}

/** Tells what an endpoint sent to itself for later from what it sent to others. */
export function separateTimeouts(
  sent: readonly OutgoingMessage[],
  endpoint: string,
  sentAt: Date,
): SentMessages {
  const separated: SentMessages = { outgoing: [], timeouts: [] };
  for (const message of sent) {
    const { destination, delaySeconds } = message;
    if (destination !== endpoint || delaySeconds === undefined) separated.outgoing.push(message);
    else {
      const dueAt = new Date(sentAt.getTime() + delaySeconds * 1000);
      separated.timeouts.push({ ...message, dueAt });
    }
  }
  return separated;
}

import type { TransactWriteItem } from '@aws-sdk/client-dynamodb';
import { headerNames } from '../messages/headers.ts';
import { isCancellation, type OutgoingMessage, type OutgoingOperation } from '../messages/message.ts';
import type { MessageReport } from '../observe/hooks.ts';
import type { Commit } from '../outbox/commit.ts';

/** How one delivery ended. What failed is thrown instead. */
export interface DeliveryResult {
  readonly messageId: string;
  readonly outcome: Exclude<MessageReport['outcome'], 'failed' | 'leftToRelay'>;
  /** The correlation value; undefined for handlers without a saga. */
  readonly sagaId: string | undefined;
  /** What this delivery sent, also with `sendImmediately`. */
  readonly outgoing: readonly OutgoingMessage[];
  /** What this delivery requested. */
  readonly timeouts: readonly RequestedTimeout[];
  /** The writes that the handler added with `transaction.add`. */
  readonly transactionItems: readonly TransactWriteItem[];
}

/** A message that an endpoint sent to itself, for later. */
export interface RequestedTimeout extends Omit<OutgoingMessage, 'dueAt' | 'delaySeconds'> {
  readonly dueAt: Date;
}

export function deliveryResult(
  { messageId, sagaId, endpoint, outcome }: MessageReport,
  commit: Commit | undefined,
  sent: readonly OutgoingOperation[],
  sentAt: Date,
): DeliveryResult {
  return {
    messageId,
    outcome: outcome as DeliveryResult['outcome'],
    sagaId,
    ...separateTimeouts(sent, endpoint, sentAt),
    transactionItems: commit?.transactionItems ?? [],
  };
}

/** Separates what an endpoint sent to itself for later from what it sent to others. */
export function separateTimeouts(sent: readonly OutgoingOperation[], endpoint: string, sentAt: Date) {
  const outgoing: OutgoingMessage[] = [];
  const timeouts: RequestedTimeout[] = [];
  for (const operation of sent) {
    if (isCancellation(operation)) continue;
    const { delaySeconds, dueAt, ...message } = operation;
    const isTimeout = message.headers[headerNames.timeout] === 'true';
    const waits = isTimeout || delaySeconds !== undefined || dueAt !== undefined;
    if (operation.destination !== endpoint || !waits) outgoing.push(operation);
    else {
      const due = dueAt ?? sentAt.getTime() + (delaySeconds ?? 0) * 1000;
      timeouts.push({ ...message, dueAt: new Date(due) });
    }
  }
  return { outgoing, timeouts };
}

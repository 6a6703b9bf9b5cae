import type { TransactWriteItem } from '@aws-sdk/client-dynamodb';
import type { OutgoingMessage } from '../core/incoming/message.ts';
import type { Commit } from '../core/outbox/commit.ts';
import type { MessageReport } from '../flow/attempt.ts';
import { type RequestedTimeout, separateTimeouts } from './requested-timeout.ts';

/** What became of one delivery. What failed is thrown instead. */
export interface DeliveryResult {
  readonly messageId: string;
  readonly outcome: Exclude<MessageReport['outcome'], 'failed'>;
  /** The correlation value; nothing for handlers without a saga. */
  readonly sagaId: string | undefined;
  /** What this delivery sent. */
  readonly outgoing: readonly OutgoingMessage[];
  /** What this delivery requested. */
  readonly timeouts: readonly RequestedTimeout[];
  /** The writes that the handler added with `transaction.add`. Their conditions are not evaluated. */
  readonly transactionItems: readonly TransactWriteItem[];
}

export function deliveryResult(
  { messageId, sagaId, endpoint, outcome }: MessageReport,
  commit: Commit | undefined,
  sentAt: Date,
): DeliveryResult {
  return {
    messageId,
    outcome: outcome as DeliveryResult['outcome'],
    sagaId,
    ...separateTimeouts(commit?.outbox?.operations ?? [], endpoint, sentAt),
    transactionItems: commit?.transactionItems ?? [],
  };
}

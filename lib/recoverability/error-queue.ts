import type { SQSRecord } from 'aws-lambda';
import type { FailureFacts } from '../messages/failures/failure-facts.ts';

export interface ErrorQueue {
  /** @throws SagaboxError `ForwardFailed` when the message was not taken */
  forward(record: SQSRecord, messageId: string, facts: FailureFacts, signal: AbortSignal): Promise<void>;
}

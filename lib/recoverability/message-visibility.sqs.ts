import { ChangeMessageVisibilityBatchCommand, type SQSClient } from '@aws-sdk/client-sqs';
import { limits } from '../kernel/limits.ts';
import type { MessageVisibility, VisibilityChange } from './message-visibility.ts';

export interface SqsMessageVisibilityOptions {
  client: SQSClient;
  queueUrl: string;
}

/** Changes when messages of one queue are delivered again, ten in a call. */
export class SqsMessageVisibility implements MessageVisibility {
  readonly #options: SqsMessageVisibilityOptions;

  constructor(options: SqsMessageVisibilityOptions) {
    this.#options = options;
  }

  async change(changes: readonly VisibilityChange[], signal: AbortSignal): Promise<readonly unknown[]> {
    const possible = changes.filter(hasReceiptHandle);
    const failures: unknown[] = changes
      .filter((change) => !hasReceiptHandle(change))
      .map(({ record }) => ({ sqsMessageId: record.messageId, Message: 'its record has no receipt handle' }));
    for (let start = 0; start < possible.length; start += limits.sendBatchEntries) {
      const batch = possible.slice(start, start + limits.sendBatchEntries);
      failures.push(...(await this.#changeBatch(batch, signal)));
    }
    return failures;
  }

  async #changeBatch(changes: readonly VisibilityChange[], signal: AbortSignal): Promise<readonly unknown[]> {
    const { client, queueUrl } = this.#options;
    const Entries = changes.map(({ record, seconds }, index) => ({
      Id: String(index),
      ReceiptHandle: record.receiptHandle,
      VisibilityTimeout: Math.min(Math.round(seconds), limits.visibilitySeconds),
    }));
    try {
      const { Failed = [] } = await client.send(
        new ChangeMessageVisibilityBatchCommand({ QueueUrl: queueUrl, Entries }),
        { abortSignal: signal },
      );
      return Failed.map((entry) => ({ sqsMessageId: changes[Number(entry.Id)]?.record.messageId, ...entry }));
    } catch (error) {
      return [error, ...changes.map(({ record }) => ({ sqsMessageId: record.messageId }))];
    }
  }
}

/** Whether a change has a receipt handle: SQS would refuse a whole call for one change without. */
function hasReceiptHandle({ record }: VisibilityChange): boolean {
  return typeof record.receiptHandle === 'string' && record.receiptHandle !== '';
}

import {
  ChangeMessageVisibilityBatchCommand,
  DeleteMessageBatchCommand,
  type Message,
  ReceiveMessageCommand,
  type SQSClient,
} from '@aws-sdk/client-sqs';
import { acknowledgedMessageIds } from './batch-response.ts';
import type { EventSourceDefinition } from './event-source-definition.ts';
import type { InvocationOutcome, Invoke } from './function-instance.ts';
import { eventRecord, type SqsEventRecord } from './sqs-event.ts';

/** One finished invocation of a function. */
export interface InvocationReport {
  readonly functionName: string;
  /** Its batch of messages; empty when no queue invoked the function. */
  readonly records: readonly SqsEventRecord[];
  readonly outcome: InvocationOutcome;
  /** The messages that were acknowledged; all others come back after their visibility timeout. */
  readonly acknowledgedMessageIds: readonly string[];
}

export interface EventSourceOptions {
  readonly definition: EventSourceDefinition;
  readonly queueUrl: string;
  readonly sqsClient: SQSClient;
  readonly invoke: Invoke;
  readonly maxConcurrency: number;
  /** Deliver every acknowledged message a second time, as SQS may (it delivers at least once). */
  readonly redeliverAcknowledged: boolean;
  readonly onInvocation: (report: InvocationReport) => void;
  /** Called when the source cannot go on. */
  readonly onFailure: (error: unknown) => void;
}

/** What one ReceiveMessage, and one DeleteMessageBatch, takes at most. */
const messagesPerCall = 10;
const waitTimeSeconds = 5;

/** Polls a queue and invokes a function with what comes, as an event source mapping of Lambda does. */
export class EventSource {
  readonly #options: EventSourceOptions;
  readonly #stopping = new AbortController();
  readonly #running = new Set<Promise<void>>();
  readonly #deliveredOnceMore = new Set<string>();
  #polling: Promise<void> = Promise.resolve();

  constructor(options: EventSourceOptions) {
    this.#options = options;
  }

  start(): void {
    this.#polling = this.#poll().catch(this.#options.onFailure);
  }

  /** How many invocations run now. */
  get runningInvocations(): number {
    return this.#running.size;
  }

  /** Takes no more messages, and acknowledges none any more. */
  stopPolling(): void {
    this.#stopping.abort();
  }

  /** Waits until no invocation runs. */
  async stop(): Promise<void> {
    this.stopPolling();
    await this.#polling;
    await Promise.all(this.#running);
  }

  async #poll(): Promise<void> {
    const { maxConcurrency } = this.#options;
    while (!this.#stopping.signal.aborted) {
      const messages = await this.#receiveBatch();
      if (messages.length > 0) {
        const invocation = this.#handle(messages)
          .catch(this.#options.onFailure)
          .finally(() => this.#running.delete(invocation));
        this.#running.add(invocation);
      }
      if (this.#running.size >= maxConcurrency) await Promise.race(this.#running);
    }
  }

  /** One receive, and as many more as a batch of over ten messages needs while the queue has some. */
  async #receiveBatch(): Promise<Message[]> {
    const { batchSize } = this.#options.definition;
    const batch = await this.#receive(Math.min(batchSize, messagesPerCall), waitTimeSeconds);
    while (batch.length > 0 && batch.length < batchSize && batch.length % messagesPerCall === 0) {
      const more = await this.#receive(Math.min(batchSize - batch.length, messagesPerCall), 0);
      if (more.length === 0) break;
      batch.push(...more);
    }
    return batch;
  }

  async #receive(maximum: number, waitSeconds: number): Promise<Message[]> {
    try {
      const { Messages: messages } = await this.#options.sqsClient.send(
        new ReceiveMessageCommand({
          QueueUrl: this.#options.queueUrl,
          MaxNumberOfMessages: maximum,
          WaitTimeSeconds: waitSeconds,
          MessageAttributeNames: ['All'],
          MessageSystemAttributeNames: ['All'],
        }),
        { abortSignal: this.#stopping.signal },
      );
      return messages ?? [];
    } catch (error) {
      if (this.#stopping.signal.aborted) return [];
      throw error;
    }
  }

  async #handle(messages: readonly Message[]): Promise<void> {
    const { definition, invoke, onInvocation } = this.#options;
    const records = messages.map((message) => eventRecord(message, definition.queueArn));
    const outcome = await invoke({ Records: records });
    const acknowledged = acknowledgedMessageIds(
      outcome,
      records.map(({ messageId }) => messageId),
      definition.reportsBatchItemFailures,
    );
    onInvocation({
      functionName: definition.functionName,
      records,
      outcome,
      acknowledgedMessageIds: acknowledged,
    });
    if (this.#stopping.signal.aborted) return;
    await this.#acknowledge(records.filter(({ messageId }) => acknowledged.includes(messageId)));
  }

  /** Deletes the messages, or lets those come back at once that are to be delivered again. */
  async #acknowledge(records: readonly SqsEventRecord[]): Promise<void> {
    const { queueUrl: QueueUrl, redeliverAcknowledged, sqsClient } = this.#options;
    for (let start = 0; start < records.length; start += messagesPerCall) {
      const batch = records.slice(start, start + messagesPerCall);
      const isAgain = ({ messageId }: SqsEventRecord): boolean =>
        redeliverAcknowledged && !this.#deliveredOnceMore.has(messageId);
      const { again = [], done = [] } = Object.groupBy(batch, (record) =>
        isAgain(record) ? 'again' : 'done',
      );
      for (const { messageId } of again) this.#deliveredOnceMore.add(messageId);
      if (again.length > 0) {
        const Entries = entriesOf(again).map((entry) => ({ ...entry, VisibilityTimeout: 0 }));
        await sqsClient.send(new ChangeMessageVisibilityBatchCommand({ QueueUrl, Entries }));
      }
      if (done.length > 0) {
        await sqsClient.send(new DeleteMessageBatchCommand({ QueueUrl, Entries: entriesOf(done) }));
      }
    }
  }
}

function entriesOf(records: readonly SqsEventRecord[]): { Id: string; ReceiptHandle: string }[] {
  return records.map(({ receiptHandle }, index) => ({ Id: String(index), ReceiptHandle: receiptHandle }));
}

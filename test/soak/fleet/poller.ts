import { setTimeout as delay } from 'node:timers/promises';
import { ChangeMessageVisibilityBatchCommand, type Message, type SQSClient } from '@aws-sdk/client-sqs';
import type { Context as LambdaContext } from 'aws-lambda';
import type { SqsBatchHandler } from 'sagabox';
import { eventRecord } from '../../../lib/local/lambda/sqs-event.ts';
import { acknowledge, receiveMessages } from '../../support/received-records.ts';
import type { Tally } from '../../support/tally.ts';
import { redeliverAttribute } from '../produce.ts';
import type { Resources } from '../resources.ts';
import type { Journal } from './journal.ts';

export interface PollerOptions {
  readonly client: SQSClient;
  readonly resources: Resources;
  readonly handler: SqsBatchHandler;
  /** Runs the handler within its time limit. */
  readonly invoke: <T>(run: (context: LambdaContext) => Promise<T>, subject: string) => Promise<T>;
  readonly tally: Tally;
  readonly journal: Journal;
  readonly onBatch: () => void;
}

/** Handles batches and deletes what succeeded, after some of it was delivered once more. */
export class Poller {
  readonly #options: PollerOptions;
  #stopping = new AbortController();
  #polling: Promise<void> | undefined;

  constructor(options: PollerOptions) {
    this.#options = options;
  }

  start(): void {
    if (this.#polling !== undefined) return;
    this.#stopping = new AbortController();
    this.#polling = this.#poll(this.#stopping.signal);
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#polling;
    this.#polling = undefined;
  }

  async #poll(signal: AbortSignal): Promise<void> {
    const { client, resources, onBatch } = this.#options;
    while (!signal.aborted) {
      try {
        const messages = await receiveMessages(client, resources.queueUrl, 1, { signal });
        if (messages.length > 0) await this.#handle(messages);
      } catch {
        // What was received comes back after its visibility timeout, and so does what was not deleted.
        if (!signal.aborted) await delay(50);
      }
      onBatch();
    }
  }

  async #handle(messages: readonly Message[]): Promise<void> {
    const { client, resources, handler, invoke, tally, journal } = this.#options;
    tally.add('deliveries', messages.length);
    tally.add('deliveries repeated by SQS', messages.filter((message) => receiveCountOf(message) > 1).length);
    journal.note('received', messages.map(messageIdOf));
    const Records = messages.map((message) => eventRecord(message, resources.queueArn));
    const { batchItemFailures } = await invoke(
      (context) => handler({ Records }, context),
      `a batch of ${messages.map(messageIdOf).join(' ')}`,
    );
    const failed = new Set(batchItemFailures.map(({ itemIdentifier }) => itemIdentifier));
    const handled = messages.filter(({ MessageId = '' }) => !failed.has(MessageId));
    journal.note('acknowledged', handled.map(messageIdOf));
    const isAgain = (message: Message) =>
      receiveCountOf(message) === 1 && message.MessageAttributes?.[redeliverAttribute] !== undefined;
    await this.#returnAtOnce(handled.filter(isAgain));
    const done = handled.filter((message) => !isAgain(message));
    await acknowledge(client, resources.queueUrl, done);
  }

  async #returnAtOnce(messages: readonly Message[]): Promise<void> {
    if (messages.length === 0) return;
    const Entries = messages.map(({ ReceiptHandle }, index) => {
      return { Id: String(index), ReceiptHandle, VisibilityTimeout: 0 };
    });
    const { client, resources } = this.#options;
    await client.send(new ChangeMessageVisibilityBatchCommand({ QueueUrl: resources.queueUrl, Entries }));
  }
}

function messageIdOf({ MessageAttributes, MessageId = '' }: Message): string {
  return MessageAttributes?.['Sagabox.MessageId']?.StringValue ?? MessageId;
}

function receiveCountOf({ Attributes }: Message): number {
  return Number(Attributes?.ApproximateReceiveCount ?? 1);
}

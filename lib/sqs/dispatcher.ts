import {
  SendMessageBatchCommand,
  type SendMessageBatchRequestEntry,
  type SQSClient,
} from '@aws-sdk/client-sqs';
import type { Destination, Destinations } from '../core/destination.ts';
import { SagaboxError } from '../core/errors.ts';
import type { OutgoingMessage } from '../core/message.ts';
import { settleAll } from '../core/settle.ts';
import { unknownDestination } from '../core/unit-of-work.ts';
import type { Clock, Dispatcher } from '../ports.ts';
import { toEntry } from './entries.ts';
import { batchesOf } from './send-batches.ts';

const MAXIMUM_ROUNDS = 4;
const BASE_DELAY_MS = 50;

export interface SqsDispatcherOptions {
  client: SQSClient;
  destinations: Destinations;
  clock: Clock;
}

/** Sends to SQS queues: the destinations side by side, the messages of one destination in their order. */
export class SqsDispatcher implements Dispatcher {
  readonly #options: SqsDispatcherOptions;

  constructor(options: SqsDispatcherOptions) {
    this.#options = options;
  }

  async dispatch(operations: readonly OutgoingMessage[]): Promise<void> {
    const byDestination = Map.groupBy(operations, (operation) => operation.destination);
    await settleAll([...byDestination].map(([name, messages]) => this.#dispatchTo(name, messages)));
  }

  async #dispatchTo(name: string, messages: readonly OutgoingMessage[]): Promise<void> {
    const destination = this.#options.destinations.get(name);
    if (destination === undefined) throw unknownDestination(name, this.#options.destinations);
    for (const batch of batchesOf(messages)) {
      await this.#sendBatch(
        destination,
        batch.map((message, index) => toEntry(message, destination, index)),
      );
    }
  }

  /** SQS takes or refuses each entry by itself; those that it refused through no fault of theirs are sent again. */
  async #sendBatch(destination: Destination, entries: SendMessageBatchRequestEntry[]): Promise<void> {
    const { client, clock } = this.#options;
    let pending = entries;
    for (let round = 1; ; round += 1) {
      const output = await this.#send(client, destination, pending);
      const failed = output.Failed ?? [];
      if (failed.length === 0) return;
      if (round === MAXIMUM_ROUNDS || failed.some((failure) => failure.SenderFault)) {
        const failures = failed.map(
          ({ Code, Message }) => `${Code ?? 'unknown'}: ${Message ?? 'no message'}`,
        );
        throw new SagaboxError('DispatchFailed', { destination: destination.name, failures });
      }
      const failedIds = new Set(failed.map((failure) => failure.Id));
      pending = pending.filter((entry) => failedIds.has(entry.Id));
      await clock.sleep(BASE_DELAY_MS * 2 ** round);
    }
  }

  async #send(client: SQSClient, destination: Destination, entries: SendMessageBatchRequestEntry[]) {
    try {
      return await client.send(
        new SendMessageBatchCommand({ QueueUrl: destination.queueUrl, Entries: entries }),
      );
    } catch (error) {
      const { name, message } = error as Error;
      const facts = { destination: destination.name, failures: [`${name}: ${message}`] };
      throw new SagaboxError('DispatchFailed', facts, { cause: error });
    }
  }
}

import type { Message, SQSClient } from '@aws-sdk/client-sqs';
import { acknowledge, attributeOf, receiveMessages } from '../support/received-records.ts';
import type { ArrivedEntry } from './checks/evidence.ts';
import type { Entry } from './subject/entry.ts';

export class LedgerQueue {
  readonly entries: ArrivedEntry[] = [];
  readonly #stopping = new AbortController();
  readonly #consuming: Promise<void>;

  constructor(client: SQSClient, queueUrl: string) {
    this.#consuming = this.#consume(client, queueUrl);
    this.#consuming.catch(() => undefined);
  }

  /** @throws what ended it before */
  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#consuming;
  }

  /**
   * Ends between two calls: a receive that was aborted would keep messages of the next round for half a
   * minute.
   */
  async #consume(client: SQSClient, queueUrl: string): Promise<void> {
    while (!this.#stopping.signal.aborted) {
      const messages = await receiveMessages(client, queueUrl, 1);
      this.entries.push(...messages.map(toEntry));
      await acknowledge(client, queueUrl, messages);
    }
  }
}

function toEntry(message: Message): ArrivedEntry {
  const { source, ordinal, attempt, bookings } = JSON.parse(message.Body ?? '') as Entry;
  const id = attributeOf(message, 'Sagabox.MessageId');
  return { id, source, ordinal, attempt, ...(bookings && { bookings }) };
}

import {
  DeleteMessageBatchCommand,
  type Message,
  ReceiveMessageCommand,
  type SQSClient,
} from '@aws-sdk/client-sqs';
import type { ArrivedEntry } from './checks/evidence.ts';
import type { Entry } from './subject/entry.ts';

const batchSize = 10;

/** Consumes a queue, and keeps what arrived. */
export class LedgerQueue {
  readonly entries: ArrivedEntry[] = [];
  readonly #client: SQSClient;
  readonly #queueUrl: string;
  readonly #stopping = new AbortController();
  readonly #consuming: Promise<void>;

  constructor(client: SQSClient, queueUrl: string) {
    this.#client = client;
    this.#queueUrl = queueUrl;
    this.#consuming = this.#consume(this.#stopping.signal);
    this.#consuming.catch(() => undefined);
  }

  /** @throws what ended it before */
  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#consuming;
  }

  async #consume(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      const messages = await this.#receive();
      if (messages.length === 0) continue;
      this.entries.push(...messages.map(toEntry));
      const Entries = messages.map(({ ReceiptHandle }, index) => ({ Id: String(index), ReceiptHandle }));
      await this.#client.send(new DeleteMessageBatchCommand({ QueueUrl: this.#queueUrl, Entries }));
    }
  }

  /**
   * Never given up halfway: the queue would hand messages of the next round to it, and keep them back for
   * half a minute.
   */
  async #receive(): Promise<Message[]> {
    const command = new ReceiveMessageCommand({
      QueueUrl: this.#queueUrl,
      MaxNumberOfMessages: batchSize,
      WaitTimeSeconds: 1,
      MessageAttributeNames: ['All'],
    });
    return (await this.#client.send(command)).Messages ?? [];
  }
}

function toEntry({ Body = '', MessageAttributes }: Message): ArrivedEntry {
  const { source, ordinal, attempt, bookings } = JSON.parse(Body) as Entry;
  const id = MessageAttributes?.['Sagabox.MessageId']?.StringValue ?? '';
  return { id, source, ordinal, attempt, ...(bookings && { bookings }) };
}

/** The ids of all messages that wait in a queue. */
export async function messageIdsIn(client: SQSClient, queueUrl: string): Promise<string[]> {
  const ids: string[] = [];
  for (;;) {
    const command = new ReceiveMessageCommand({
      QueueUrl: queueUrl,
      MaxNumberOfMessages: batchSize,
      MessageAttributeNames: ['All'],
    });
    const { Messages = [] } = await client.send(command);
    if (Messages.length === 0) return ids;
    ids.push(
      ...Messages.map((message) => message.MessageAttributes?.['Sagabox.MessageId']?.StringValue ?? ''),
    );
    const Entries = Messages.map(({ ReceiptHandle }, index) => ({ Id: String(index), ReceiptHandle }));
    await client.send(new DeleteMessageBatchCommand({ QueueUrl: queueUrl, Entries }));
  }
}

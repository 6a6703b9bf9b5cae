import { setTimeout } from 'node:timers/promises';
import {
  ChangeMessageVisibilityBatchCommand,
  DeleteMessageCommand,
  GetQueueUrlCommand,
  ReceiveMessageCommand,
  SendMessageCommand,
  type SQSClient,
} from '@aws-sdk/client-sqs';
import { limits } from '../../kernel/limits.ts';
import { redrivenAttributes } from '../../messages/failures/failure-message.ts';
import { toMessageAttributes } from '../../recoverability/message-attributes.sqs.ts';
import { countMessages } from '../queue-count.ts';
import type { KeptMessage } from './kept-messages.ts';
import { readStoredFailure, type StoredFailure } from './stored-failure.ts';

/** How long a message that was taken stays hidden, should the run be killed: longer than a batch takes. */
const HIDDEN_SECONDS = 120;

/** SQS counts late: what was just deleted may still be in the first answers. */
const COUNTS = 3;

export interface FailureQueueOptions {
  readonly client: SQSClient;
  /** For a queue of another region: SQS takes only calls that are signed for its own. */
  readonly sender: SQSClient;
  readonly queueUrl: string;
  /** How long an empty queue is waited for; without a wait SQS may not look everywhere. */
  readonly waitSeconds: number;
  /** Whether endpoints forward messages to it. */
  readonly mayBeForwarded: boolean;
}

/** The queue that messages are moved out of. */
export class FailureQueue {
  readonly #client: SQSClient;
  readonly #sender: SQSClient;
  readonly #queueUrl: string;
  readonly #waitSeconds: number;
  readonly #mayBeForwarded: boolean;
  /** By the ARNs of queues. */
  readonly #urls = new Map<string, string>();

  constructor({ client, sender, queueUrl, waitSeconds, mayBeForwarded }: FailureQueueOptions) {
    this.#client = client;
    this.#sender = sender;
    this.#queueUrl = queueUrl;
    this.#waitSeconds = waitSeconds;
    this.#mayBeForwarded = mayBeForwarded;
  }

  async take(max: number): Promise<StoredFailure[]> {
    const { Messages = [] } = await this.#client.send(
      new ReceiveMessageCommand({
        QueueUrl: this.#queueUrl,
        MaxNumberOfMessages: Math.min(10, max),
        VisibilityTimeout: HIDDEN_SECONDS,
        WaitTimeSeconds: this.#waitSeconds,
        MessageAttributeNames: ['All'],
        MessageSystemAttributeNames: ['All'],
      }),
    );
    return Messages.map((message) => readStoredFailure(message, this.#queueUrl, this.#mayBeForwarded));
  }

  /** Makes messages visible again. @returns how many stay hidden for a while, as SQS did not accept it */
  async release(kept: readonly KeptMessage[]): Promise<number> {
    const entries = kept.map(({ receiptHandle }, index) => ({
      Id: String(index),
      ReceiptHandle: receiptHandle,
      VisibilityTimeout: 0,
    }));
    let refused = 0;
    for (let start = 0; start < entries.length; start += limits.sendBatchEntries) {
      const Entries = entries.slice(start, start + limits.sendBatchEntries);
      const { Failed = [] } = await this.#client.send(
        new ChangeMessageVisibilityBatchCommand({ QueueUrl: this.#queueUrl, Entries }),
      );
      refused += Failed.length;
    }
    return refused;
  }

  /** @returns about how many messages there are besides those that the run knows of, hidden or not */
  async countOthers(known: number): Promise<number> {
    let others = Number.POSITIVE_INFINITY;
    for (let count = 0; count < COUNTS && others > 0; count += 1) {
      if (count > 0) await setTimeout(this.#waitSeconds * 1000);
      const present = await countMessages(this.#client, this.#queueUrl);
      others = Math.min(others, Math.max(0, present - known));
    }
    return others;
  }

  /** The URL of a queue that is known by its URL or its ARN. */
  async urlOf(address: string): Promise<string> {
    const known = address.startsWith('arn:') ? this.#urls.get(address) : address;
    if (known !== undefined) return known;
    const [account, name] = address.split(':').slice(-2);
    const { QueueUrl } = await this.#client.send(
      new GetQueueUrlCommand({ QueueName: name, QueueOwnerAWSAccountId: account }),
    );
    if (QueueUrl === undefined) throw new Error(`SQS knows no URL of '${address}'`);
    this.#urls.set(address, QueueUrl);
    return QueueUrl;
  }

  /** In this order: interrupted between the two, the message is there twice, with one id; never lost. */
  async move(stored: StoredFailure, toUrl: string): Promise<void> {
    await this.#sender.send(
      new SendMessageCommand({
        QueueUrl: toUrl,
        MessageBody: stored.body,
        MessageAttributes: toMessageAttributes(redrivenAttributes(stored)),
        ...groupOf(stored, toUrl.endsWith('.fifo')),
      }),
    );
    await this.#client.send(
      new DeleteMessageCommand({ QueueUrl: this.#queueUrl, ReceiptHandle: stored.receiptHandle }),
    );
  }
}

/**
 * The id that SQS gave to the message in the error queue is the same when the move is repeated. The id that
 * it had before may still be known to the queue, which would then drop the message.
 */
function groupOf({ messageGroupId, sqsMessageId }: StoredFailure, fifo: boolean) {
  if (fifo) return { MessageGroupId: messageGroupId ?? sqsMessageId, MessageDeduplicationId: sqsMessageId };
  return messageGroupId === undefined ? {} : { MessageGroupId: messageGroupId };
}

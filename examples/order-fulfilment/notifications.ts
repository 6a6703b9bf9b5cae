import {
  DeleteMessageBatchCommand,
  type Message,
  ReceiveMessageCommand,
  type SQSClient,
} from '@aws-sdk/client-sqs';

interface Announcement {
  readonly orderId: string;
  /** Messages that the saga had handled when it was announced; only in OrderFulfilled. */
  readonly handledMessages?: number;
}

/** What arrived on the queue that the sample sends to and does not own, as its reader sees it. */
export class Notifications {
  /** Different message ids that arrived, for each message type and order. */
  readonly #messageIds = new Map<string, Set<string>>();
  readonly #handledMessages = new Map<string, number>();
  #received = 0;

  get received(): number {
    return this.#received;
  }

  messageIds(type: 'OrderFulfilled' | 'PaymentReminder', orderId: string): ReadonlySet<string> {
    return this.#messageIds.get(`${type}|${orderId}`) ?? new Set();
  }

  handledMessages(orderId: string): number {
    return this.#handledMessages.get(orderId) ?? 0;
  }

  /** Takes what is there now from the queue. */
  async drain(sqsClient: SQSClient, queueUrl: string, signal: AbortSignal): Promise<void> {
    for (;;) {
      const { Messages: messages = [] } = await sqsClient.send(
        new ReceiveMessageCommand({
          QueueUrl: queueUrl,
          MaxNumberOfMessages: 10,
          MessageAttributeNames: ['All'],
        }),
        { abortSignal: signal },
      );
      if (messages.length === 0) return;
      for (const message of messages) this.#take(message);
      await sqsClient.send(
        new DeleteMessageBatchCommand({
          QueueUrl: queueUrl,
          Entries: messages.map(({ ReceiptHandle }, index) => ({ Id: String(index), ReceiptHandle })),
        }),
        { abortSignal: signal },
      );
    }
  }

  #take({ Body: body, MessageAttributes: attributes = {}, MessageId: sqsMessageId }: Message): void {
    const { orderId, handledMessages = 0 } = JSON.parse(body ?? '{}') as Announcement;
    const type = attributes['Sagabox.MessageType']?.StringValue;
    const messageId = attributes['Sagabox.MessageId']?.StringValue ?? sqsMessageId ?? '';
    const key = `${type}|${orderId}`;
    this.#messageIds.set(key, (this.#messageIds.get(key) ?? new Set()).add(messageId));
    this.#handledMessages.set(orderId, Math.max(this.handledMessages(orderId), handledMessages));
    this.#received += 1;
  }
}

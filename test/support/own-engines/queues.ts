import {
  CreateQueueCommand,
  DeleteQueueCommand,
  GetQueueAttributesCommand,
  type QueueAttributeName,
  type SQSClient,
} from '@aws-sdk/client-sqs';

type QueueAttributes = Partial<Record<QueueAttributeName, string>>;

/** A queue, gone when the work is over. */
export async function withQueue<T>(
  client: SQSClient,
  QueueName: string,
  Attributes: QueueAttributes,
  work: (queueUrl: string) => Promise<T>,
): Promise<T> {
  const { QueueUrl } = await client.send(new CreateQueueCommand({ QueueName, Attributes }));
  if (QueueUrl === undefined) throw new Error(`Queue ${QueueName} has no URL`);
  try {
    return await work(QueueUrl);
  } finally {
    await client.send(new DeleteQueueCommand({ QueueUrl }));
  }
}

export interface Redrive {
  readonly visibilityTimeoutSeconds: number;
  /** After so many deliveries a message is in the dead-letter queue. */
  readonly maxReceiveCount: number;
  /** Whether both are FIFO queues. @default false */
  readonly fifo?: boolean;
}

export interface RedrivingQueue {
  readonly queueUrl: string;
  readonly queueArn: string;
  readonly deadLetterQueueUrl: string;
}

/** A queue and its dead-letter queue, gone when the work is over. */
export async function withRedrivingQueue<T>(
  client: SQSClient,
  name: string,
  { visibilityTimeoutSeconds, maxReceiveCount, fifo = false }: Redrive,
  work: (queue: RedrivingQueue) => Promise<T>,
): Promise<T> {
  const kind: QueueAttributes = fifo ? { FifoQueue: 'true' } : {};
  const suffix = fifo ? '.fifo' : '';
  return await withQueue(client, `${name}-dlq${suffix}`, kind, async (deadLetterQueueUrl) => {
    const deadLetterTargetArn = await queueAttribute(client, deadLetterQueueUrl, 'QueueArn');
    const attributes = {
      ...kind,
      VisibilityTimeout: String(visibilityTimeoutSeconds),
      RedrivePolicy: JSON.stringify({ deadLetterTargetArn, maxReceiveCount }),
    };
    return await withQueue(client, `${name}${suffix}`, attributes, async (queueUrl) => {
      const queueArn = await queueAttribute(client, queueUrl, 'QueueArn');
      return await work({ queueUrl, queueArn, deadLetterQueueUrl });
    });
  });
}

export async function queueAttribute(
  client: SQSClient,
  QueueUrl: string,
  name: QueueAttributeName,
): Promise<string> {
  const { Attributes } = await client.send(
    new GetQueueAttributesCommand({ QueueUrl, AttributeNames: [name] }),
  );
  const value = Attributes?.[name];
  if (value === undefined) throw new Error(`Queue ${QueueUrl} does not tell its ${name}`);
  return value;
}

/** Messages that wait in the queue. */
export async function messagesWaiting(client: SQSClient, queueUrl: string): Promise<number> {
  return Number(await queueAttribute(client, queueUrl, 'ApproximateNumberOfMessages'));
}

import {
  DeleteMessageBatchCommand,
  GetQueueAttributesCommand,
  type Message,
  paginateListQueues,
  ReceiveMessageCommand,
  type SQSClient,
} from '@aws-sdk/client-sqs';

/** The URLs of the queues whose names begin so. */
export async function queueUrls(sqs: SQSClient, prefix: string): Promise<string[]> {
  const urls: string[] = [];
  for await (const { QueueUrls = [] } of paginateListQueues({ client: sqs }, { QueueNamePrefix: prefix }))
    urls.push(...QueueUrls);
  return urls;
}

/** Error queues and dead-letter queues: what is there is counted apart. */
export function isForFailures(queueUrl: string): boolean {
  return /Error|DeadLetter|Undelivered/.test(queueUrl);
}

/** The messages that wait for something: to be received, or to be acknowledged, or delayed. */
export async function depthOf(sqs: SQSClient, QueueUrl: string): Promise<{ now: number; delayed: number }> {
  const { Attributes: counts = {} } = await sqs.send(
    new GetQueueAttributesCommand({ QueueUrl, AttributeNames: ['All'] }),
  );
  return {
    now: Number(counts.ApproximateNumberOfMessages) + Number(counts.ApproximateNumberOfMessagesNotVisible),
    delayed: Number(counts.ApproximateNumberOfMessagesDelayed),
  };
}

/** Takes out what is in a queue now. */
export async function drain(sqs: SQSClient, QueueUrl: string): Promise<Message[]> {
  const all: Message[] = [];
  for (;;) {
    const { Messages: messages = [] } = await sqs.send(
      new ReceiveMessageCommand({ QueueUrl, MaxNumberOfMessages: 10, MessageAttributeNames: ['All'] }),
    );
    if (messages.length === 0) return all;
    all.push(...messages);
    const Entries = messages.map(({ ReceiptHandle }, index) => ({ Id: String(index), ReceiptHandle }));
    await sqs.send(new DeleteMessageBatchCommand({ QueueUrl, Entries }));
  }
}

export function attributeOf({ MessageAttributes: attributes = {} }: Message, name: string): string {
  return attributes[name]?.StringValue ?? '';
}

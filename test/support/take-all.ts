import { ReceiveMessageCommand, type SQSClient } from '@aws-sdk/client-sqs';
import { headerNames } from 'sagabox';

/** The bodies of all messages in a queue; of those with one id, which were sent twice, one. */
export async function takeAll(client: SQSClient, QueueUrl: string): Promise<unknown[]> {
  const bodies = new Map<string, unknown>();
  const command = new ReceiveMessageCommand({
    QueueUrl,
    MaxNumberOfMessages: 10,
    MessageAttributeNames: ['All'],
  });
  for (;;) {
    const { Messages = [] } = await client.send(command);
    if (Messages.length === 0) return [...bodies.values()];
    for (const { Body = 'null', MessageAttributes } of Messages) {
      bodies.set(MessageAttributes?.[headerNames.messageId]?.StringValue ?? Body, JSON.parse(Body));
    }
  }
}

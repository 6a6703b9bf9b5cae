import { GetQueueAttributesCommand, type SQSClient } from '@aws-sdk/client-sqs';

/** About how many messages a queue has, hidden or not. */
export async function countMessages(client: SQSClient, queueUrl: string): Promise<number> {
  const { Attributes = {} } = await client.send(
    new GetQueueAttributesCommand({
      QueueUrl: queueUrl,
      AttributeNames: ['ApproximateNumberOfMessages', 'ApproximateNumberOfMessagesNotVisible'],
    }),
  );
  const { ApproximateNumberOfMessages: visible = 0, ApproximateNumberOfMessagesNotVisible: hidden = 0 } =
    Attributes;
  return Number(visible) + Number(hidden);
}

import { GetQueueAttributesCommand, type SQSClient } from '@aws-sdk/client-sqs';

export interface QueueDepth {
  readonly ready: number;
  /** Delivered, and neither acknowledged nor visible again. */
  readonly inFlight: number;
  readonly delayed: number;
}

export async function queueDepth(sqsClient: SQSClient, queueUrl: string): Promise<QueueDepth> {
  const { Attributes: attributes = {} } = await sqsClient.send(
    new GetQueueAttributesCommand({ QueueUrl: queueUrl, AttributeNames: ['All'] }),
  );
  return {
    ready: Number(attributes.ApproximateNumberOfMessages),
    inFlight: Number(attributes.ApproximateNumberOfMessagesNotVisible),
    delayed: Number(attributes.ApproximateNumberOfMessagesDelayed),
  };
}

export function sumOfDepths(depths: readonly QueueDepth[]): QueueDepth {
  return depths.reduce(
    (total, depth) => ({
      ready: total.ready + depth.ready,
      inFlight: total.inFlight + depth.inFlight,
      delayed: total.delayed + depth.delayed,
    }),
    { ready: 0, inFlight: 0, delayed: 0 },
  );
}

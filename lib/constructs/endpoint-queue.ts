import type { Duration } from 'aws-cdk-lib';
import { Queue, QueueEncryption } from 'aws-cdk-lib/aws-sqs';
import type { Construct } from 'constructs';

interface EndpointQueueSettings {
  readonly fifo: boolean;
  readonly visibilityTimeout: Duration;
  readonly retention: Duration;
  readonly deadLetterRetention: Duration;
  readonly maxReceiveCount: number;
}

export interface EndpointQueues {
  readonly queue: Queue;
  readonly deadLetterQueue: Queue;
}

/** An endpoint's queue, and the one of the same kind that takes what could not be handled. */
export function endpointQueues(scope: Construct, settings: EndpointQueueSettings): EndpointQueues {
  const common = {
    encryption: QueueEncryption.SQS_MANAGED,
    enforceSSL: true,
    ...(settings.fifo ? { fifo: true } : {}),
  };
  const deadLetterQueue = new Queue(scope, 'DeadLetterQueue', {
    ...common,
    retentionPeriod: settings.deadLetterRetention,
  });
  const queue = new Queue(scope, 'Queue', {
    ...common,
    visibilityTimeout: settings.visibilityTimeout,
    retentionPeriod: settings.retention,
    deadLetterQueue: {
      queue: deadLetterQueue,
      // Queue throws below 1 by itself; the endpoint's rules report it together with all other violations.
      maxReceiveCount: Math.max(1, settings.maxReceiveCount),
    },
  });
  return { queue, deadLetterQueue };
}

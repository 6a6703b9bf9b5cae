import type { Duration } from 'aws-cdk-lib';
import { type IQueue, Queue, QueueEncryption } from 'aws-cdk-lib/aws-sqs';
import type { Construct } from 'constructs';

interface EndpointQueueSettings {
  readonly fifo: boolean;
  readonly visibilityTimeout: Duration;
  readonly retention: Duration;
  readonly deadLetterRetention: Duration;
  readonly maxReceiveCount: number;
  readonly errorQueue: IQueue | false | undefined;
}

export interface EndpointQueues {
  readonly queue: Queue;
  readonly deadLetterQueue: Queue;
  readonly errorQueue: IQueue | undefined;
}

/** An endpoint's queue, and those of the same kind that take what could not be handled. */
export function endpointQueues(scope: Construct, settings: EndpointQueueSettings): EndpointQueues {
  const common = {
    encryption: QueueEncryption.SQS_MANAGED,
    enforceSSL: true,
    ...(settings.fifo ? { fifo: true } : {}),
  };
  const keepsFailures = { ...common, retentionPeriod: settings.deadLetterRetention };
  const deadLetterQueue = new Queue(scope, 'DeadLetterQueue', keepsFailures);
  const errorQueue = settings.errorQueue ?? new Queue(scope, 'ErrorQueue', keepsFailures);
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
  return { queue, deadLetterQueue, errorQueue: errorQueue === false ? undefined : errorQueue };
}

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
  const failures = { fifo: settings.fifo, retention: settings.deadLetterRetention };
  const deadLetterQueue = failureQueue(scope, 'DeadLetterQueue', failures);
  const errorQueue = settings.errorQueue ?? failureQueue(scope, 'ErrorQueue', failures);
  const queue = new Queue(scope, 'Queue', {
    ...commonProps(settings.fifo),
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

/** Keeps messages that went wrong until someone looks. */
export function failureQueue(
  scope: Construct,
  id: string,
  { fifo, retention }: { readonly fifo: boolean; readonly retention: Duration },
): Queue {
  return new Queue(scope, id, { ...commonProps(fifo), retentionPeriod: retention });
}

function commonProps(fifo: boolean) {
  return {
    encryption: QueueEncryption.SQS_MANAGED,
    enforceSSL: true,
    ...(fifo ? { fifo: true } : {}),
  };
}

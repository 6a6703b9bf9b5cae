import type { Duration } from 'aws-cdk-lib';
import type { IKey } from 'aws-cdk-lib/aws-kms';
import { type IQueue, Queue } from 'aws-cdk-lib/aws-sqs';
import type { Construct } from 'constructs';
import { limits } from '../../core/limits.ts';
import { encryptionProps } from '../destinations/queue-encryption.ts';

interface QueueKind {
  readonly fifo: boolean;
  readonly encryptionKey: IKey | undefined;
}

interface EndpointQueueSettings extends QueueKind {
  readonly visibilityTimeout: Duration;
  readonly retention: Duration;
  readonly deadLetterRetention: Duration;
  readonly maxReceiveCount: number;
  readonly errorQueue: IQueue | false | undefined;
}

/** An endpoint's queue, and those of the same kind that take what could not be handled. */
export function endpointQueues(scope: Construct, settings: EndpointQueueSettings) {
  const { fifo, encryptionKey } = settings;
  const failures = { fifo, encryptionKey, retention: settings.deadLetterRetention };
  const deadLetterQueue = failureQueue(scope, 'DeadLetterQueue', failures);
  const errorQueue = settings.errorQueue ?? failureQueue(scope, 'ErrorQueue', failures);
  const queue = new Queue(scope, 'Queue', {
    ...commonProps({ fifo, encryptionKey }),
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
  { retention, ...kind }: QueueKind & { readonly retention: Duration },
): Queue {
  return new Queue(scope, id, { ...commonProps(kind), retentionPeriod: retention });
}

function commonProps({ fifo, encryptionKey }: QueueKind) {
  const encryption = encryptionProps(encryptionKey);
  // Explicit, as the default of SQS depends on the age of the queue, and senders go by it.
  const maxMessageSizeBytes = limits.messageBytes;
  return { ...encryption, enforceSSL: true, maxMessageSizeBytes, ...(fifo ? { fifo: true } : {}) };
}

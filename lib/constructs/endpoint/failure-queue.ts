import type { Duration, RemovalPolicy } from 'aws-cdk-lib';
import type { IKey } from 'aws-cdk-lib/aws-kms';
import { type CfnQueue, Queue, type QueueProps } from 'aws-cdk-lib/aws-sqs';
import type { Construct } from 'constructs';
import { defined } from '../../kernel/defined.ts';
import { limits } from '../../kernel/limits.ts';
import { encryptionProps } from '../destinations/queue-encryption.ts';
import { reachable } from '../destinations/reachable.ts';
import { acknowledge } from '../nag-suppressions.ts';
import { defaultRemovalPolicy } from '../removal-policies.ts';

interface QueueKind {
  readonly fifo: boolean;
  readonly encryptionKey: IKey | undefined;
  /** @default RemovalPolicy.RETAIN */
  readonly removalPolicy?: RemovalPolicy | undefined;
  /** @default - CloudFormation makes one up */
  readonly queueName?: string | undefined;
}

/** Keeps messages that went wrong until someone looks. */
export function failureQueue(
  scope: Construct,
  id: string,
  { retention, ...kind }: QueueKind & { readonly retention: Duration },
): Queue {
  const queue = makeQueue(scope, id, { ...commonQueueProps(kind), retentionPeriod: retention });
  const reason = 'It is itself where messages go that could not be handled, and someone looks at them.';
  acknowledge(queue, 'SQS3', reason);
  return queue;
}

/** A queue whose key may be of another stack. */
export function makeQueue(scope: Construct, id: string, props: QueueProps): Queue {
  const queue = new Queue(scope, id, props);
  const { encryptionMasterKey: key } = props;
  // For the reference of the queue's own, CDK would throw when it makes stacks depend on each other.
  if (key !== undefined) (queue.node.defaultChild as CfnQueue).kmsMasterKeyId = reachable(key, key.keyArn);
  return queue;
}

/** Of all queues that the constructs make. */
export function commonQueueProps({ fifo, encryptionKey, removalPolicy, queueName }: QueueKind) {
  const encryption = encryptionProps(encryptionKey);
  // Explicit, as the default of SQS depends on the age of the queue, and senders go by it.
  const maxMessageSizeBytes = limits.messageBytes;
  const kind = fifo ? { fifo: true } : {};
  return {
    ...encryption,
    ...kind,
    ...defined({ queueName }),
    removalPolicy: removalPolicy ?? defaultRemovalPolicy,
    enforceSSL: true,
    maxMessageSizeBytes,
  };
}

import { DeduplicationScope, FifoThroughputLimit, type IQueue } from 'aws-cdk-lib/aws-sqs';
import type { Construct } from 'constructs';
import { defined } from '../../kernel/defined.ts';
import { reportUnreachable } from '../destinations/reachable.ts';
import { waysToKey } from '../destinations/ways-out.ts';
import { isFifo } from './endpoint-rows.ts';
import type { EndpointTimings } from './endpoint-timings.ts';
import { deadLetterQueueOf } from './existing-queue.ts';
import { commonQueueProps, failureQueue, makeQueue } from './failure-queue.ts';
import type { EndpointSettings } from './message-endpoint-props.ts';
import { queueNames } from './queue-names.ts';
import { warnOfUnseenQueue } from './unseen-queue.ts';

interface EndpointQueues {
  readonly queue: IQueue;
  /** Undefined for that of an existing queue which is not known. */
  readonly deadLetterQueue: IQueue | undefined;
  readonly errorQueue: IQueue | undefined;
}

/** An endpoint's queue, and those of the same kind that take what could not be handled. */
export function endpointQueues(
  scope: Construct,
  settings: EndpointSettings,
  timings: EndpointTimings,
): EndpointQueues {
  const { encryptionKey, removalPolicy } = settings;
  const fifo = isFifo(settings);
  const kind = { fifo, encryptionKey, removalPolicy };
  for (const way of waysToKey(encryptionKey, 'encryptionKey')) reportUnreachable(scope, way);
  const names = queueNames(settings.queueName, fifo);
  const failures = { ...kind, retention: timings.deadLetterRetention };
  const makeErrorQueue = () =>
    failureQueue(scope, 'ErrorQueue', { ...failures, queueName: names.errorQueue });
  if (settings.queue !== undefined) {
    const { queue, errorQueue = makeErrorQueue() } = settings;
    warnOfUnseenQueue(scope, queue, timings);
    const deadLetterQueue = deadLetterQueueOf(queue, settings.deadLetterQueue);
    return { queue, deadLetterQueue, errorQueue: errorQueue || undefined };
  }
  const deadLetterQueue = failureQueue(scope, 'DeadLetterQueue', {
    ...failures,
    queueName: names.deadLetterQueue,
  });
  const { errorQueue = makeErrorQueue() } = settings;
  const queue = makeQueue(scope, 'Queue', {
    ...commonQueueProps({ ...kind, queueName: names.queue }),
    ...defined(throughput(settings)),
    visibilityTimeout: timings.visibilityTimeout,
    retentionPeriod: timings.retention,
    deadLetterQueue: { queue: deadLetterQueue, maxReceiveCount: timings.maxReceiveCount },
  });
  return { queue, deadLetterQueue, errorQueue: errorQueue || undefined };
}

/** Source: "High throughput for FIFO queues in Amazon SQS": a limit per group needs the scope of groups. */
function throughput({ fifoThroughputLimit, deduplicationScope }: EndpointSettings) {
  const isPerGroup = fifoThroughputLimit === FifoThroughputLimit.PER_MESSAGE_GROUP_ID;
  const scope = isPerGroup ? DeduplicationScope.MESSAGE_GROUP : undefined;
  return { fifoThroughputLimit, deduplicationScope: deduplicationScope ?? scope };
}

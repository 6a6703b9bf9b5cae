import { type Duration, Resource, Token } from 'aws-cdk-lib';
import {
  type CfnQueue,
  DeduplicationScope,
  FifoThroughputLimit,
  type IQueue,
  Queue,
} from 'aws-cdk-lib/aws-sqs';
import type { PropRule } from '../checks/prop-rows.ts';
import { sameTarget } from '../destinations/destination-target.ts';
import { isKnown } from '../is-known.ts';
import { isFifo } from './endpoint-rows.ts';
import { deadLetterQueueOf, settingsOfQueue } from './existing-queue.ts';
import type { EndpointSettings } from './message-endpoint-props.ts';
import { queueNameProblem } from './queue-names.ts';

const MAX_BATCH_WITHOUT_WINDOW = 10;

/** Rules over several props: the first one that a prop violates is reported. */
export const settingRules: readonly PropRule<EndpointSettings>[] = [
  {
    name: 'queueNameIsOne',
    setting: 'queueName',
    problemOf: ({ queueName, fifo = false }) => queueNameProblem(queueName, fifo),
  },
  {
    name: 'queueHasADeadLetterQueue',
    setting: 'queue',
    problemOf: ({ queue }) => {
      if (!(queue instanceof Queue) || deadLetterQueueOf(queue) !== undefined) return undefined;
      // One of an escape hatch is not known, and there.
      if ((queue.node.defaultChild as CfnQueue).redrivePolicy !== undefined) return undefined;
      return {
        problem: `'${queue.node.path}' has no dead letter queue, so that a message that cannot be handled comes until it expires`,
        remedy: 'Give it one',
      };
    },
  },
  {
    name: 'errorQueueIsAnotherQueue',
    setting: 'errorQueue',
    problemOf: ({ queue, deadLetterQueue, errorQueue }) => {
      if (queue === undefined || !errorQueue) return undefined;
      const own = [queue, deadLetterQueueOf(queue, deadLetterQueue)];
      if (!own.some((each) => each !== undefined && sameTarget(each, errorQueue))) return undefined;
      return {
        problem: `'${errorQueue.node.path}' is the queue of the endpoint, or its dead letter queue`,
        remedy: 'Give another queue, or leave it out',
      };
    },
  },
  {
    name: 'errorQueueIsOfTheSameKind',
    setting: 'errorQueue',
    problemOf: (settings) => {
      const { errorQueue } = settings;
      const fifo = isFifo(settings);
      if (!errorQueue || !tellsItsKind(errorQueue) || errorQueue.fifo === fifo) return undefined;
      const [its, own] = fifo ? ['standard', 'FIFO'] : ['FIFO', 'standard'];
      return {
        problem: `'${errorQueue.node.path}' is ${its}, and the endpoint is ${own}`,
        remedy: `Give a ${own} queue, or leave it out`,
      };
    },
  },
  {
    name: 'deadLetterRetentionIsThatOfTheDeadLetterQueue',
    setting: 'deadLetterRetention',
    problemOf: ({ queue, deadLetterQueue, deadLetterRetention: stated }) => {
      const given = queue && deadLetterQueueOf(queue, deadLetterQueue);
      const { retention } = settingsOfQueue(given);
      if (given === undefined || retention === undefined || stated === undefined) return undefined;
      if (stated.isUnresolved() || stated.toMilliseconds() === retention.toMilliseconds()) return undefined;
      return {
        problem: `'${given.node.path}' keeps messages for ${retention.toSeconds()} s`,
        remedy: 'Leave it out, or set it to that, or change the retentionPeriod of that queue',
      };
    },
  },
  {
    name: 'largeBatchesAreForStandardQueues',
    setting: 'batchSize',
    problemOf: (settings) =>
      isFifo(settings) && isOver(settings.batchSize)
        ? {
            problem: `${settings.batchSize} is more than a FIFO queue gives`,
            remedy: `Use at most ${MAX_BATCH_WITHOUT_WINDOW}`,
          }
        : undefined,
  },
  {
    name: 'largeBatchesNeedAWindow',
    setting: 'batchSize',
    problemOf: ({ batchSize, maxBatchingWindow }) =>
      isOver(batchSize) && !lastsASecond(maxBatchingWindow)
        ? {
            problem: `${batchSize} messages need a maxBatchingWindow of at least 1 s`,
            remedy: `Set that, or use at most ${MAX_BATCH_WITHOUT_WINDOW}`,
          }
        : undefined,
  },
  {
    name: 'throughputPerGroupNeedsDeduplicationPerGroup',
    setting: 'fifoThroughputLimit',
    problemOf: ({ fifoThroughputLimit, deduplicationScope }) =>
      fifoThroughputLimit === FifoThroughputLimit.PER_MESSAGE_GROUP_ID &&
      deduplicationScope === DeduplicationScope.QUEUE
        ? {
            problem: 'throughput per message group needs deduplication per message group',
            remedy: 'Leave deduplicationScope out, or use DeduplicationScope.MESSAGE_GROUP',
          }
        : undefined,
  },
];

function isOver(batchSize: number | undefined): boolean {
  return batchSize !== undefined && isKnown(batchSize) && batchSize > MAX_BATCH_WITHOUT_WINDOW;
}

function lastsASecond(window: Duration | undefined): boolean {
  return window !== undefined && (window.isUnresolved() || window.toMilliseconds() >= 1000);
}

/** The name of an imported queue tells its kind, once it is known. */
function tellsItsKind(queue: IQueue): boolean {
  return Resource.isOwnedResource(queue) || !Token.isUnresolved(queue.queueArn);
}

import { Duration, Resource, Token } from 'aws-cdk-lib';
import { CfnQueue, type IQueue, Queue } from 'aws-cdk-lib/aws-sqs';
import { defined } from '../../core/defined.ts';
import { sameTarget } from '../destinations/destination-target.ts';
import type { EndpointSettings } from './message-endpoint-props.ts';
import type { SettingRule } from './setting-rule.ts';

/** What SQS uses for a queue that does not say. Source: "Configuring queue parameters" in the SQS guide. */
export const unsetVisibilityTimeout = Duration.seconds(30);
export const unsetRetention = Duration.days(4);

type QueueSettings = Pick<EndpointSettings, 'visibilityTimeout' | 'retention' | 'maxReceiveCount'>;

/** What the template says of a queue of the app; empty for one that is imported. */
export function settingsOfQueue(queue: IQueue | undefined): QueueSettings {
  const resource = queue?.node.defaultChild;
  if (!(resource instanceof CfnQueue)) return {};
  return defined({
    // One that is known only at deployment is that of the queue all the same: the endpoint cannot be told another.
    visibilityTimeout: Token.isUnresolved(resource.visibilityTimeout)
      ? Duration.seconds(Token.asNumber(resource.visibilityTimeout))
      : durationOf(resource.visibilityTimeout, unsetVisibilityTimeout),
    retention: durationOf(resource.messageRetentionPeriod, unsetRetention),
    maxReceiveCount:
      queue instanceof Queue
        ? (queue.deadLetterQueue?.maxReceiveCount ?? maxReceiveCountFromTemplate(resource))
        : undefined,
  });
}

/** The dead letter queue of a queue of the app; of an imported one it is not known, unless it is told. */
export function deadLetterQueueOf(queue: IQueue, told?: IQueue): IQueue | undefined {
  return queue instanceof Queue ? queue.deadLetterQueue?.queue : told;
}

/**
 * How long each queue keeps messages that could not be handled. Those of the app tell it; of the others it is
 * what is stated for the endpoint.
 */
export function failureRetentions(
  { queue, deadLetterQueue, errorQueue }: EndpointSettings,
  stated: Duration,
): readonly Duration[] {
  const deadLetters = queue && deadLetterQueueOf(queue, deadLetterQueue);
  const queues = errorQueue === false ? [deadLetters] : [deadLetters, errorQueue];
  return queues.map((each) => settingsOfQueue(each).retention ?? stated);
}

/** Of a redrive policy that the L1 resource was given. */
function maxReceiveCountFromTemplate({ redrivePolicy }: CfnQueue): number | undefined {
  return Token.isUnresolved(redrivePolicy) ? undefined : redrivePolicy?.maxReceiveCount;
}

function durationOf(seconds: number | undefined, unset: Duration): Duration | undefined {
  if (Token.isUnresolved(seconds)) return undefined;
  return seconds === undefined ? unset : Duration.seconds(seconds);
}

/** What is set by whoever makes the queue. Of an imported one, the endpoint may be told the others. */
const settingsOfAnyQueue = ['queueName', 'fifo', 'fifoThroughputLimit', 'deduplicationScope'] as const;
const settingsOfKnownQueue = ['visibilityTimeout', 'retention', 'maxReceiveCount'] as const;

export const existingQueueRules: readonly SettingRule[] = [
  {
    name: 'queueHasADeadLetterQueue',
    setting: 'queue',
    problemOf({ queue }) {
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
    name: 'deadLetterQueueIsThatOfAnImportedQueue',
    setting: 'deadLetterQueue',
    problemOf({ queue, deadLetterQueue }) {
      if (deadLetterQueue === undefined || (queue !== undefined && !Resource.isOwnedResource(queue))) {
        return undefined;
      }
      return {
        problem: 'it tells that of an imported queue, and the endpoint knows its own one',
        remedy: 'Leave it out, or give an imported queue',
      };
    },
  },
  {
    name: 'errorQueueIsAnotherQueue',
    setting: 'errorQueue',
    problemOf({ queue, deadLetterQueue, errorQueue }) {
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
    name: 'deadLetterRetentionIsThatOfTheDeadLetterQueue',
    setting: 'deadLetterRetention',
    problemOf({ queue, deadLetterQueue, deadLetterRetention: stated }) {
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
  ...settingsOfAnyQueue.map((setting) => settingOfQueue(setting, () => true)),
  ...settingsOfKnownQueue.map((setting) => settingOfQueue(setting, (queue) => queue instanceof Queue)),
];

function settingOfQueue(
  setting: (typeof settingsOfAnyQueue | typeof settingsOfKnownQueue)[number],
  isSetBy: (queue: IQueue) => boolean,
): SettingRule {
  return {
    name: `${setting}IsThatOfTheQueue`,
    setting,
    problemOf({ queue, [setting]: given }) {
      if (given === undefined || queue === undefined || !isSetBy(queue)) return undefined;
      return { problem: `it is that of '${queue.node.path}'`, remedy: `Leave ${setting} or queue out` };
    },
  };
}

import { Duration, Token } from 'aws-cdk-lib';
import { CfnQueue, type IQueue, Queue } from 'aws-cdk-lib/aws-sqs';
import { defined } from '../../kernel/defined.ts';
import type { EndpointSettings } from './message-endpoint-props.ts';

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

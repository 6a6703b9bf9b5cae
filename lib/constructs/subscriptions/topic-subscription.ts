import { Stack, Token } from 'aws-cdk-lib';
import {
  type CfnSubscription,
  type ITopic,
  Subscription,
  SubscriptionFilter,
  SubscriptionProtocol,
  Topic,
} from 'aws-cdk-lib/aws-sns';
import { defined } from '../../core/defined.ts';
import { headerNames } from '../../core/incoming/headers.ts';
import { allowKeyTo } from '../destinations/queue-encryption.ts';
import { canName } from '../destinations/reachable.ts';
import { elsewhereProblem } from '../places.ts';
import { filterProblem } from './filter-limits.ts';
import { allowSubscription, isInAnotherRegion } from './other-accounts.ts';
import { sourceId } from './source-id.ts';
import type { SubscribedQueue } from './subscribed-queue.ts';
import type { TopicSubscriptionOptions } from './subscription-options.ts';

const SNS = 'sns.amazonaws.com';

/**
 * Lets a topic send to the queue, and to the dead letter queue what it could not deliver there. A FIFO queue
 * takes messages of FIFO topics only; a standard one of both. Source: "Amazon SNS message delivery for FIFO
 * topics".
 *
 * CDK's `SqsSubscription` would write a policy statement for each topic, and the topic into the policy of the
 * key: with the key in another stack than the topic, each of the two stacks would need the other.
 *
 * @throws SagaboxError `Configuration`
 */
export function subscribeToTopic(
  subscribed: SubscribedQueue,
  topic: ITopic,
  options: TopicSubscriptionOptions,
): Subscription {
  const { scope, queue } = subscribed;
  if (queue.fifo && !topic.fifo) {
    throw subscribed.refusal(
      `the topic '${topic.node.path}' is standard, and a FIFO queue takes messages of FIFO topics only`,
      'Make the topic FIFO, or the endpoint standard',
    );
  }
  if (subscribed.hasTopic(topic)) {
    throw subscribed.refusal(
      `it subscribes to the topic '${topic.node.path}' already`,
      'A topic sends to a queue once: name all message types in one subscription',
    );
  }
  const filterPolicy = filterOf(subscribed, options);
  subscribed.addTopic(topic, filterPolicy !== undefined);
  const id = sourceId(scope, topic);
  const reachable = reachableTopic(subscribed, topic, id);
  const deadLetterQueue = subscribed.queueForUndelivered({ fifo: topic.fifo });
  const subscription = new Subscription(scope, id, {
    topic: reachable,
    endpoint: queue.queueArn,
    protocol: SubscriptionProtocol.SQS,
    rawMessageDelivery: options.rawMessageDelivery ?? true,
    ...defined({ filterPolicy: checkedFilter(subscribed, topic, filterPolicy) }),
  });
  // The property of the subscription would add a statement of its own to the queue's policy.
  const resource = subscription.node.defaultChild as CfnSubscription;
  resource.redrivePolicy = { deadLetterTargetArn: deadLetterQueue.queueArn };
  for (const target of [queue, deadLetterQueue]) {
    subscription.node.addDependency(subscribed.allow(target, SNS, reachable, reachable.topicArn));
    allowKeyTo(SNS, target, topic.env.account);
  }
  allowSubscription(queue, topic);
  return subscription;
}

function filterOf(
  subscribed: SubscribedQueue,
  { messageTypes, filterPolicy }: TopicSubscriptionOptions,
): Record<string, SubscriptionFilter> | undefined {
  if (filterPolicy !== undefined) return { ...filterPolicy };
  if (messageTypes === undefined) return undefined;
  subscribed.assertTypes(messageTypes);
  const isOfTypes = SubscriptionFilter.stringFilter({ allowlist: [...messageTypes] });
  return { [headerNames.messageType]: isOfTypes };
}

/** Without a filter that CDK would refuse with an error of its own. */
function checkedFilter(
  { violations }: SubscribedQueue,
  topic: ITopic,
  filterPolicy: Record<string, SubscriptionFilter> | undefined,
): Record<string, SubscriptionFilter> | undefined {
  const found = filterPolicy && filterProblem(filterPolicy);
  if (found === undefined) return filterPolicy;
  violations.add(`subscribesTo '${topic.node.path}'`, found.problem, found.remedy);
  return undefined;
}

/** CDK throws an error of its own for a topic that cannot be referred to, before the rules are asked. */
function reachableTopic({ scope, violations }: SubscribedQueue, topic: ITopic, id: string): ITopic {
  if (!Token.isUnresolved(topic.topicArn)) return topic;
  // A rule of its own tells of another region.
  if (!isInAnotherRegion(scope, topic)) {
    if (canName(Stack.of(scope), topic, topic.topicArn)) return topic;
    violations.add(
      `subscribesTo '${topic.node.path}'`,
      `${elsewhereProblem(scope, topic)}, which cannot refer to it without a name`,
      'Import the topic by its ARN, or give one of another account a topicName',
    );
  }
  return Topic.fromTopicArn(
    scope,
    `${id}.Elsewhere`,
    `arn:aws:sns:${topic.env.region}:000000000000:elsewhere`,
  );
}

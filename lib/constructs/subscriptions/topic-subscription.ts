import {
  type CfnSubscription,
  type ITopic,
  Subscription,
  SubscriptionFilter,
  SubscriptionProtocol,
} from 'aws-cdk-lib/aws-sns';
import { defined } from '../../kernel/defined.ts';
import { headerNames } from '../../messages/headers.ts';
import { deployedFirst } from '../destinations/deployed-first.ts';
import { allowKeyTo } from '../destinations/queue-encryption.ts';
import { reachable } from '../destinations/reachable.ts';
import { reportUnreachableSource } from '../destinations/ways-out.ts';
import { filterProblem } from './filter-limits.ts';
import { allowSubscription } from './other-accounts.ts';
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
  const deadLetterQueue = subscribed.queueForUndelivered({ fifo: topic.fifo });
  const subscription = new Subscription(scope, sourceId(scope, topic), {
    topic,
    endpoint: queue.queueArn,
    protocol: SubscriptionProtocol.SQS,
    rawMessageDelivery: options.rawMessageDelivery ?? true,
    ...defined({ filterPolicy: checkedFilter(subscribed, topic, filterPolicy) }),
  });
  const resource = subscription.node.defaultChild as CfnSubscription;
  // SNS subscribes to topics that are there, and whose policies allow it: a name would not do alone.
  resource.topicArn = deployedFirst(topic, reachable(topic, topic.topicArn));
  reportUnreachableSource(scope, topic);
  // The property of the subscription would add a statement of its own to the queue's policy.
  resource.redrivePolicy = { deadLetterTargetArn: deadLetterQueue.queueArn };
  for (const target of [queue, deadLetterQueue]) {
    subscription.node.addDependency(subscribed.allow(target, SNS, topic, topic.topicArn));
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

import { type ITopic, type Subscription, SubscriptionFilter } from 'aws-cdk-lib/aws-sns';
import { SqsSubscription } from 'aws-cdk-lib/aws-sns-subscriptions';
import { defined } from '../../core/defined.ts';
import { headerNames } from '../../core/incoming/headers.ts';
import { warnOfImportedKey } from '../destinations/queue-encryption.ts';
import type { SubscribedQueue } from './subscribed-queue.ts';
import type { TopicSubscriptionOptions } from './subscription-options.ts';

/**
 * Lets a topic send to the queue, and to the dead letter queue what it could not deliver there. A FIFO queue
 * takes messages of FIFO topics only; a standard one of both. Source: "Amazon SNS message delivery for FIFO
 * topics".
 *
 * @throws SagaboxError `Configuration`
 */
export function subscribeToTopic(
  subscribed: SubscribedQueue,
  topic: ITopic,
  options: TopicSubscriptionOptions,
): Subscription {
  const { queue } = subscribed;
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
  warnOfImportedKey(queue, 'sns.amazonaws.com');
  return topic.addSubscription(
    new SqsSubscription(queue, {
      rawMessageDelivery: options.rawMessageDelivery ?? true,
      deadLetterQueue: subscribed.queueForUndelivered({ fifo: topic.fifo }),
      ...defined({ filterPolicy }),
    }),
  );
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

import type { Rule } from 'aws-cdk-lib/aws-events';
import type { ITopic, Subscription } from 'aws-cdk-lib/aws-sns';
import { describeProp } from '../checks/describe-prop.ts';
import { argumentOf } from '../checks/prop-checks.ts';
import { isConstructWith, wrappingOf } from '../checks/prop-kinds.ts';
import type { AnyEventBus } from '../construct-types.ts';
import { subscribeToEvents } from './event-subscription.ts';
import type { SubscribedQueue } from './subscribed-queue.ts';
import {
  type EventSubscriptionOptions,
  eventSubscriptionOptions,
  type TopicSubscriptionOptions,
  topicSubscriptionOptions,
} from './subscription-options.ts';
import { subscribeToTopic } from './topic-subscription.ts';

/**
 * Lets a topic or an event bus send to the queue.
 *
 * @throws SagaboxError `Configuration`
 */
export function subscribe(
  subscribed: SubscribedQueue,
  source: unknown,
  options: unknown,
): Subscription | Rule {
  const checked = (check: typeof topicSubscriptionOptions) =>
    argumentOf('subscribesTo', subscribed.scope, { options }, check);
  if (isConstructWith(source, 'topicArn')) {
    const taken = checked(topicSubscriptionOptions) as TopicSubscriptionOptions;
    return subscribeToTopic(subscribed, source as ITopic, taken);
  }
  if (isConstructWith(source, 'eventBusArn')) {
    const taken = checked(eventSubscriptionOptions) as EventSubscriptionOptions;
    return subscribeToEvents(subscribed, source as AnyEventBus, taken);
  }
  const wrapping = wrappingOf(source, 'topicArn', 'eventBusArn');
  if (wrapping !== undefined)
    throw subscribed.refusal(`${describeProp(source)} is an L1 resource`, `Wrap it, as in ${wrapping}`);
  throw subscribed.refusal(`${describeProp(source)} is neither a topic nor an event bus`, 'Use one of them');
}

import { Names } from 'aws-cdk-lib';
import { type EventPattern, type IRuleTarget, Rule } from 'aws-cdk-lib/aws-events';
import { PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import type { CfnQueue, Queue } from 'aws-cdk-lib/aws-sqs';
import { defined } from '../../core/defined.ts';
import { eventSource } from '../../core/wire-format/event-detail.ts';
import type { AnyEventBus } from '../any-resource.ts';
import { sendActions } from '../destinations/queue-access.ts';
import { allowKeyToEventBridge, warnOfImportedKey } from '../destinations/queue-encryption.ts';
import type { SubscribedQueue } from './subscribed-queue.ts';
import type { EventSubscriptionOptions } from './subscription-options.ts';

/**
 * A rule that sends events of a bus to the queue, and to the dead letter queue what it could not deliver
 * there.
 *
 * @throws SagaboxError `Configuration`
 */
export function subscribeToEvents(
  subscribed: SubscribedQueue,
  eventBus: AnyEventBus,
  options: EventSubscriptionOptions,
): Rule {
  const { scope, queue } = subscribed;
  const { messageGroupId } = options;
  const eventPattern = patternOf(subscribed, options);
  if (queue.fifo) {
    if (messageGroupId === undefined || messageGroupId === '') {
      throw subscribed.refusal('a FIFO queue takes no event without a message group', 'Give messageGroupId');
    }
    takeMessagesWithoutDeduplicationId(queue);
  }
  subscribed.sources.push(eventBus);
  const deadLetterQueue = subscribed.queueForUndelivered({ fifo: false });
  const rule = new Rule(scope, ruleId(subscribed, eventBus), { eventBus, eventPattern });
  rule.addTarget(queueTarget(queue, deadLetterQueue, messageGroupId));
  for (const target of [queue, deadLetterQueue]) allowRule(rule, target);
  // It is the key of the dead letter queue as well.
  allowKeyToEventBridge(queue);
  warnOfImportedKey(queue, 'events.amazonaws.com');
  return rule;
}

/** EventBridge gives none. Source: "Target" in the Amazon EventBridge API Reference (SqsParameters). */
function takeMessagesWithoutDeduplicationId(queue: Queue): void {
  (queue.node.defaultChild as CfnQueue).contentBasedDeduplication = true;
}

/** CDK's own target would also allow the rule to read the attributes of the queue. */
function queueTarget(queue: Queue, deadLetterQueue: Queue, messageGroupId: string | undefined): IRuleTarget {
  return {
    bind: () => ({
      arn: queue.queueArn,
      targetResource: queue,
      deadLetterConfig: { arn: deadLetterQueue.queueArn },
      ...(messageGroupId === undefined ? {} : { sqsParameters: { messageGroupId } }),
    }),
  };
}

function allowRule(rule: Rule, queue: Queue): void {
  const statement = {
    principals: [new ServicePrincipal('events.amazonaws.com')],
    actions: [...sendActions],
    resources: [queue.queueArn],
    conditions: { ArnEquals: { 'aws:SourceArn': rule.ruleArn } },
  };
  queue.addToResourcePolicy(new PolicyStatement(statement));
}

function patternOf(
  subscribed: SubscribedQueue,
  { eventPattern, messageTypes, fromEndpoints }: EventSubscriptionOptions,
): EventPattern {
  if (eventPattern !== undefined) return eventPattern;
  if (messageTypes === undefined && fromEndpoints === undefined) {
    throw subscribed.refusal(
      'it does not tell which events of the bus',
      'Give messageTypes, fromEndpoints or an eventPattern',
    );
  }
  if (messageTypes !== undefined) subscribed.assertTypes(messageTypes);
  if (fromEndpoints?.length === 0) {
    throw subscribed.refusal('fromEndpoints is empty', 'Name the endpoints, or leave it out for all sources');
  }
  const names = fromEndpoints?.map((from) => (typeof from === 'string' ? from : from.endpointName));
  return defined({ source: names?.map(eventSource), detailType: messageTypes && [...messageTypes] });
}

/** An endpoint may have several rules on one bus. */
function ruleId({ scope }: SubscribedQueue, eventBus: AnyEventBus): string {
  const base = `From${Names.nodeUniqueId(eventBus.node)}`;
  let id = base;
  for (let count = 2; scope.node.tryFindChild(id) !== undefined; count += 1) id = `${base}${count}`;
  return id;
}

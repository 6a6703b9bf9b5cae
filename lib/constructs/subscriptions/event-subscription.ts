import { Annotations, Stack } from 'aws-cdk-lib';
import { type CfnRule, type EventPattern, type IRuleTarget, Rule } from 'aws-cdk-lib/aws-events';
import { CfnQueue, type IQueue } from 'aws-cdk-lib/aws-sqs';
import { defined } from '../../kernel/defined.ts';
import { eventSource } from '../../messages/wire-format/event-detail.ts';
import type { AnyEventBus } from '../construct-types.ts';
import { allowKeyTo } from '../destinations/queue-encryption.ts';
import { reachable } from '../destinations/reachable.ts';
import { reportUnreachableSource } from '../destinations/ways-out.ts';
import { isInAnotherAccount } from './other-accounts.ts';
import { sourceId } from './source-id.ts';
import type { SubscribedQueue } from './subscribed-queue.ts';
import type { EventSubscriptionOptions } from './subscription-options.ts';

const EVENTBRIDGE = 'events.amazonaws.com';
/** Source: "Amazon EventBridge quotas" (event pattern size). */
const MAX_PATTERN_CHARACTERS = 2048;

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
    takeMessagesWithoutDeduplicationId(subscribed);
  }
  subscribed.sources.push(eventBus);
  const deadLetterQueue = subscribed.queueForUndelivered({ fifo: false });
  const rule = new Rule(scope, ruleId(subscribed, eventBus), { eventPattern });
  // EventBridge makes rules of buses that are there: a name would not do in place of a reference.
  (rule.node.defaultChild as CfnRule).eventBusName = reachable(eventBus, eventBus.eventBusName);
  // A rule of its own tells of another account.
  if (!isInAnotherAccount(scope, eventBus)) reportUnreachableSource(scope, eventBus);
  rule.addTarget(queueTarget(queue, deadLetterQueue, messageGroupId));
  for (const target of [queue, deadLetterQueue]) {
    subscribed.allow(target, EVENTBRIDGE, rule, rule.ruleArn);
    allowKeyTo(EVENTBRIDGE, target);
  }
  checkPattern(subscribed, eventBus, rule);
  return rule;
}

/** EventBridge gives none. Source: "Target" in the Amazon EventBridge API Reference (SqsParameters). */
function takeMessagesWithoutDeduplicationId({ scope, queue }: SubscribedQueue): void {
  const resource = queue.node.defaultChild;
  if (resource instanceof CfnQueue) {
    resource.contentBasedDeduplication = true;
    return;
  }
  Annotations.of(scope).addWarningV2(
    'sagabox:contentBasedDeduplication',
    `queue: '${queue.node.path}' is imported, so that its settings stay as they are. See that it has content-based deduplication: ` +
      'events have no deduplication id, and without either it takes none of them.',
  );
}

/** CDK's own target would also allow the rule to read the attributes of the queue. */
function queueTarget(
  queue: IQueue,
  deadLetterQueue: IQueue,
  messageGroupId: string | undefined,
): IRuleTarget {
  return {
    bind: () => ({
      arn: queue.queueArn,
      targetResource: queue,
      deadLetterConfig: { arn: deadLetterQueue.queueArn },
      ...(messageGroupId === undefined ? {} : { sqsParameters: { messageGroupId } }),
    }),
  };
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
  const base = sourceId(scope, eventBus);
  let id = base;
  for (let count = 2; scope.node.tryFindChild(id) !== undefined; count += 1) id = `${base}${count}`;
  return id;
}

function checkPattern({ violations }: SubscribedQueue, eventBus: AnyEventBus, rule: Rule): void {
  const { eventPattern } = rule.node.defaultChild as CfnRule;
  const characters = JSON.stringify(Stack.of(rule).resolve(eventPattern)).length;
  if (characters <= MAX_PATTERN_CHARACTERS) return;
  violations.add(
    `subscribesTo '${eventBus.node.path}'`,
    `the event pattern has ${characters} characters, and EventBridge takes ${MAX_PATTERN_CHARACTERS}`,
    'Name fewer message types or endpoints, or subscribe more than once, with some of them each',
  );
}

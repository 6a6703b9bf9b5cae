import { localArn } from '../app/identity.ts';
import type { LocalResource } from '../app/resources/model.ts';
import { provisioningCall } from './call.ts';

interface SubscriptionProperties {
  readonly TopicArn?: string;
  readonly Protocol?: string;
  readonly Endpoint?: string;
  readonly RawMessageDelivery?: boolean;
  readonly FilterPolicy?: unknown;
  readonly FilterPolicyScope?: string;
}

const topicAttributes = ['FifoTopic', 'ContentBasedDeduplication'] as const;
const subscriptionAttributes = ['RawMessageDelivery', 'FilterPolicy', 'FilterPolicyScope'] as const;

export function isTopic({ type }: LocalResource): boolean {
  return type === 'AWS::SNS::Topic';
}

export function isSubscription({ type }: LocalResource): boolean {
  return type === 'AWS::SNS::Subscription';
}

/** Whether this runtime can run it: a queue that subscribes. */
export function isQueueSubscription({ properties }: LocalResource): boolean {
  return isOfQueue(properties);
}

/** Whether a topic itself names subscribers that this runtime cannot run. */
export function hasOtherSubscriptions(resource: LocalResource): boolean {
  return isTopic(resource) && !ownSubscriptions(resource).every(isOfQueue);
}

/**
 * Creates the declared topics, with the queues that subscribe to them.
 *
 * @throws SagaboxError `Configuration` for a subscription to a topic that the templates do not declare.
 */
export async function provisionTopics(endpoint: string, resources: readonly LocalResource[]): Promise<void> {
  const act = (name: string, form: Record<string, string>): Promise<void> =>
    provisioningCall(name, endpoint, { method: 'POST', body: new URLSearchParams(form) });
  for (const topic of resources.filter(isTopic)) {
    const { name, properties } = topic;
    await act(name, { Action: 'CreateTopic', Name: name, ...attributesOf(topicAttributes, properties) });
    for (const subscription of ownSubscriptions(topic).filter(isOfQueue)) {
      await act(name, subscribe({ ...subscription, TopicArn: localArn('sns', name) }));
    }
  }
  for (const { logicalId, properties } of resources.filter(isSubscription)) {
    await act(logicalId, subscribe(properties));
  }
}

function ownSubscriptions({ properties }: LocalResource): readonly SubscriptionProperties[] {
  return (properties.Subscription as SubscriptionProperties[] | undefined) ?? [];
}

function isOfQueue({ Protocol: protocol }: SubscriptionProperties): boolean {
  return protocol === 'sqs';
}

function subscribe(properties: SubscriptionProperties): Record<string, string> {
  const { TopicArn: topicArn = '', Endpoint: endpoint = '' } = properties;
  return {
    Action: 'Subscribe',
    TopicArn: topicArn,
    Protocol: 'sqs',
    Endpoint: endpoint,
    ...attributesOf(subscriptionAttributes, properties),
  };
}

/** The attributes that the template and the API name alike, as fields of the form. */
function attributesOf(names: readonly string[], properties: object): Record<string, string> {
  const given = Object.entries(properties).filter(([name]) => names.includes(name));
  return Object.fromEntries(
    given.flatMap(([name, value], index) => [
      [`Attributes.entry.${index + 1}.key`, name],
      [
        `Attributes.entry.${index + 1}.value`,
        typeof value === 'object' ? JSON.stringify(value) : String(value),
      ],
    ]),
  );
}

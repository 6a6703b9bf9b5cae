import { localArn } from '../app/identity.ts';
import type { LocalResource } from '../app/resources/model.ts';
import { provisioningCall } from './call.ts';
import { attributesOf } from './queues.ts';

interface SubscriptionProperties {
  readonly TopicArn?: string;
  readonly Protocol?: string;
  readonly Endpoint?: string;
}

const topicAttributes = ['FifoTopic', 'ContentBasedDeduplication'] as const;
const subscriptionAttributes = ['RawMessageDelivery', 'FilterPolicy', 'FilterPolicyScope'] as const;

/** Whether this runtime can run it: a queue that subscribes to a topic, both of this app. */
export function isRunnableSubscription(
  { properties }: Pick<LocalResource, 'properties'>,
  resources: readonly LocalResource[],
): boolean {
  const { TopicArn: topicArn } = properties as SubscriptionProperties;
  const isDeclared = resources.some(
    ({ type, name }) => type === 'AWS::SNS::Topic' && topicArn === localArn('sns', name),
  );
  return isDeclared && isQueueSubscription(properties, resources);
}

function isQueueSubscription(
  { Protocol: protocol, Endpoint: endpoint }: SubscriptionProperties,
  resources: readonly LocalResource[],
): boolean {
  const queues = resources.filter(({ type }) => type === 'AWS::SQS::Queue');
  return protocol === 'sqs' && queues.some(({ name }) => endpoint === localArn('sqs', name));
}

/** Whether a topic itself names subscribers that this runtime cannot run. */
export function hasOtherSubscriptions(resource: LocalResource, resources: readonly LocalResource[]): boolean {
  return ownSubscriptions(resource).some((properties) => !isQueueSubscription(properties, resources));
}

/** Creates the declared topics, with the queues that subscribe to them. */
export async function provisionTopics(endpoint: string, resources: readonly LocalResource[]): Promise<void> {
  const act = (name: string, form: object, attributes: [string, string][]): Promise<void> =>
    provisioningCall(name, endpoint, {
      method: 'POST',
      body: new URLSearchParams({ ...form, ...formOf(attributes) }),
    });
  const subscribe = (name: string, properties: SubscriptionProperties): Promise<void> => {
    const { TopicArn = '', Endpoint = '' } = properties;
    const form = { Action: 'Subscribe', TopicArn, Protocol: 'sqs', Endpoint };
    return act(name, form, attributesOf(subscriptionAttributes, properties));
  };
  for (const topic of resources.filter(({ type }) => type === 'AWS::SNS::Topic')) {
    const { name, properties } = topic;
    await act(name, { Action: 'CreateTopic', Name: name }, attributesOf(topicAttributes, properties));
    for (const own of ownSubscriptions(topic).filter(({ Protocol: protocol }) => protocol === 'sqs')) {
      await subscribe(name, { ...own, TopicArn: localArn('sns', name) });
    }
  }
  for (const { logicalId, properties } of resources.filter(({ type }) => type === 'AWS::SNS::Subscription')) {
    await subscribe(logicalId, properties);
  }
}

function ownSubscriptions({ type, properties }: LocalResource): readonly LocalResource['properties'][] {
  if (type !== 'AWS::SNS::Topic') return [];
  return (properties.Subscription as LocalResource['properties'][] | undefined) ?? [];
}

/** Attributes as fields of the form that SNS takes. */
function formOf(attributes: readonly [string, string][]): Record<string, string> {
  return Object.fromEntries(
    attributes.flatMap(([name, value], index) => [
      [`Attributes.entry.${index + 1}.key`, name],
      [`Attributes.entry.${index + 1}.value`, value],
    ]),
  );
}

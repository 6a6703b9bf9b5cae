import { createRequire } from 'node:module';
import { describe, expect, it } from '@jest/globals';
import { type App, Stack } from 'aws-cdk-lib';
import { Annotations, Match, Template } from 'aws-cdk-lib/assertions';
import { EventBus } from 'aws-cdk-lib/aws-events';
import { type IKey, Key } from 'aws-cdk-lib/aws-kms';
import { Topic } from 'aws-cdk-lib/aws-sns';
import { type MessageEndpointProps, MessageScheduler } from 'sagabox/constructs';
import {
  allowedActions,
  arnOf,
  expectViolation,
  inlineEndpoint,
  ordersEndpoint,
  propertiesOf,
  unbundledStack,
} from '../support.ts';

const QUEUE = 'AWS::SQS::Queue';
const featureFlags = createRequire(import.meta.url)('aws-cdk-lib/recommended-feature-flags.json');

const keyArn = arnOf('Key');
const useOfKey = ['kms:Decrypt', 'kms:GenerateDataKey'];

function encryptedEndpoint(props: Partial<MessageEndpointProps> = {}, flags: Record<string, unknown> = {}) {
  const withKey = (stack: Stack): Partial<MessageEndpointProps> => ({
    encryptionKey: new Key(stack, 'Key') as IKey,
    ...props,
  });
  return ordersEndpoint(withKey, flags);
}

/** Which key each queue is encrypted with. */
function keysOfQueues(stack: Stack): Record<string, unknown> {
  const queues = Object.entries(Template.fromStack(stack).findResources(QUEUE));
  return Object.fromEntries(
    queues.map(([id, { Properties }]) => [
      id.slice(0, -8),
      Properties.KmsMasterKeyId ?? Properties.SqsManagedSseEnabled,
    ]),
  );
}

/** What services may do with the key. */
function servicesOfKey(stack: Stack): unknown[] {
  const { KeyPolicy } = propertiesOf(stack, 'AWS::KMS::Key') as {
    KeyPolicy: { Statement: { Principal: object }[] };
  };
  return KeyPolicy.Statement.filter(({ Principal }) => 'Service' in Principal);
}

const serviceOf = (name: string | string[], account: unknown) => ({
  Action: useOfKey,
  Condition: { StringEquals: { 'aws:SourceAccount': account } },
  Effect: 'Allow',
  Principal: { Service: name },
  Resource: '*',
});

const warningsOf = (stack: Stack) =>
  Annotations.fromStack(stack)
    .findWarning('*', Match.stringLikeRegexp('^encryptionKey'))
    .map(({ entry }) => entry.data);

describe('a key for the queues of an endpoint', () => {
  it('encrypts all that the endpoint makes', () => {
    const { stack, orders } = encryptedEndpoint({ scheduler: true });
    orders.subscribesTo(new Topic(stack, 'Events', { fifo: true }));
    expect(keysOfQueues(stack)).toEqual({
      OrdersQueue: keyArn,
      OrdersDeadLetterQueue: keyArn,
      OrdersErrorQueue: keyArn,
      OrdersUndeliveredQueue: keyArn,
      OrdersSchedulerDeadLetterQueue: keyArn,
    });
  });

  it('may be left out', () => {
    const { stack } = ordersEndpoint({ scheduler: true });
    expect(new Set(Object.values(keysOfQueues(stack)))).toEqual(new Set([true]));
  });

  it('may be given to a scheduler that is shared', () => {
    const stack = unbundledStack();
    const scheduler = new MessageScheduler(stack, 'Scheduler', { encryptionKey: new Key(stack, 'Key') });
    expect(keysOfQueues(stack)).toEqual({ SchedulerDeadLetterQueue: keyArn });
    expect(allowedActions(stack, 'SchedulerRole')['Allow Key']).toEqual(useOfKey);
    expect(scheduler.deadLetterQueue.encryptionMasterKey).toBeDefined();
  });

  it('may be used by the function, which receives and sends, and by the schedules', () => {
    const { stack } = encryptedEndpoint({ scheduler: true });
    expect(new Set(allowedActions(stack, 'OwnServiceRole')['Allow Key'])).toEqual(new Set(useOfKey));
    expect(allowedActions(stack, 'OrdersSchedulerPolicy')['Allow Key']).toEqual(useOfKey);
    expect(allowedActions(stack, 'OrdersSchedulerRole')['Allow Key']).toEqual(useOfKey);
  });

  it('may be used by other endpoints that send to this one', () => {
    const usesOfKey = (sends: boolean) => {
      const { stack, orders } = encryptedEndpoint();
      const billing = inlineEndpoint(stack, 'Billing');
      if (sends) billing.sendsTo(orders);
      return allowedActions(stack, 'BillingOwn')['Allow Key'];
    };
    expect(usesOfKey(false)).toBeUndefined();
    expect(usesOfKey(true)).toEqual(useOfKey);
  });

  it('may be used by SNS and EventBridge once the endpoint subscribes, and by no service before', () => {
    const { stack } = encryptedEndpoint({}, featureFlags);
    expect(servicesOfKey(stack)).toEqual([]);
    const { stack: other, orders: subscriber } = encryptedEndpoint({}, featureFlags);
    subscriber.subscribesTo(new Topic(other, 'Events'));
    subscriber.subscribesTo(new EventBus(other, 'Bus'), { messageTypes: ['OrderPlaced'] });
    subscriber.subscribesTo(new EventBus(other, 'Company'), { messageTypes: ['OrderPlaced'] });
    expect(servicesOfKey(other)).toEqual([
      serviceOf(['events.amazonaws.com', 'sns.amazonaws.com'], { Ref: 'AWS::AccountId' }),
    ]);
    expect([...warningsOf(other), ...warningsOf(stack)]).toEqual([]);
  });

  it('may be used by SNS for a topic of another account', () => {
    const { stack, orders } = encryptedEndpoint();
    const other = Topic.fromTopicArn(stack, 'Theirs', 'arn:aws:sns:eu-west-1:222222222222:events');
    orders.subscribesTo(other);
    expect(servicesOfKey(stack)).toEqual([
      serviceOf('sns.amazonaws.com', [{ Ref: 'AWS::AccountId' }, '222222222222']),
    ]);
  });

  it.each([
    ['as CDK recommends', featureFlags],
    ['without feature flags', {}],
  ])('may stand in another stack than the topics, %s', (_how, flags) => {
    const data = unbundledStack(flags);
    const encryptionKey: IKey = new Key(data, 'Key');
    const app = new Stack(data.node.root as App, 'Shop');
    const events = new Stack(data.node.root as App, 'Events');
    const orders = inlineEndpoint(app, 'Orders', { encryptionKey, scheduler: true });
    orders.subscribesTo(new Topic(app, 'OrderEvents'));
    orders.subscribesTo(new Topic(events, 'OrderEvents'));
    orders.subscribesTo(new EventBus(app, 'Company'), { messageTypes: ['OrderPlaced'] });
    expectViolation(data, '');
    const statements = servicesOfKey(data);
    expect(JSON.stringify(statements)).toContain('sns.amazonaws.com');
    expect(JSON.stringify(statements)).not.toContain('SourceArn');
  });

  it('does not make resources depend on each other in a circle', () => {
    const { stack, orders } = encryptedEndpoint({ fifo: true, scheduler: true }, featureFlags);
    orders.subscribesTo(new Topic(stack, 'Events', { fifo: true }));
    orders.subscribesTo(new EventBus(stack, 'Bus'), { messageTypes: ['OrderPlaced'], messageGroupId: 'bus' });
    // Template.fromStack throws when they do.
    expect(() => Template.fromStack(stack)).not.toThrow();
  });

  it('has to let the services use it, when it is imported', () => {
    const arn = 'arn:aws:kms:eu-west-1:111111111111:key/one';
    const { stack, orders } = ordersEndpoint((scope) => ({
      encryptionKey: Key.fromKeyArn(scope, 'Key', arn),
    }));
    expect(propertiesOf(stack, QUEUE, 'OrdersQueue')).toMatchObject({ KmsMasterKeyId: arn });
    orders.subscribesTo(new Topic(stack, 'Events'));
    orders.subscribesTo(new EventBus(stack, 'Bus'), { messageTypes: ['OrderPlaced'] });
    for (const principal of ['sns.amazonaws.com', 'events.amazonaws.com']) {
      expect(warningsOf(stack)).toContainEqual(
        expect.stringContaining(
          `'Test/Key' is imported, so that its policy stays as it is. Let it allow ${principal} kms:`,
        ),
      );
    }
  });
});

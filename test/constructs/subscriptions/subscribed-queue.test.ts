import { describe, expect, it } from '@jest/globals';
import { Duration, type Stack } from 'aws-cdk-lib';
import { Template } from 'aws-cdk-lib/assertions';
import { EventBus } from 'aws-cdk-lib/aws-events';
import { SubscriptionFilter, Topic } from 'aws-cdk-lib/aws-sns';
import type { TopicSubscriptionOptions } from 'sagabox/constructs';
import {
  arnOf,
  expectViolation,
  inlineEndpoint,
  ordersEndpoint,
  propertiesOf,
  refOf,
  regionalStack,
} from '../support.ts';

const QUEUE = 'AWS::SQS::Queue';
const SUBSCRIPTION = 'AWS::SNS::Subscription';
const RULE = 'AWS::Events::Rule';

/** What may be sent to a queue, by whom. */
function allowedSends(stack: Stack, queue: string): unknown[] {
  const policies = Object.values(Template.fromStack(stack).findResources('AWS::SQS::QueuePolicy'));
  const statements = policies.flatMap((policy) => policy.Properties.PolicyDocument.Statement);
  return statements.filter(
    ({ Effect, Resource }) => Effect === 'Allow' && Resource['Fn::GetAtt'][0].slice(0, -8) === queue,
  );
}

const sendFrom = (service: string, source: unknown, queue: string) => ({
  Action: 'sqs:SendMessage',
  Condition: { ArnEquals: { 'aws:SourceArn': [source].flat() } },
  Effect: 'Allow',
  Principal: { Service: service },
  Resource: arnOf(queue),
  Sid: service === 'sns.amazonaws.com' ? 'Topics' : 'Rules',
});

describe('an endpoint that subscribes to a topic', () => {
  it('gets its messages as they were published, and keeps what could not be delivered', () => {
    const { stack, orders } = ordersEndpoint();
    orders.subscribesTo(new Topic(stack, 'Events'));
    expect(propertiesOf(stack, SUBSCRIPTION)).toEqual({
      Endpoint: arnOf('OrdersQueue'),
      Protocol: 'sqs',
      RawMessageDelivery: true,
      RedrivePolicy: { deadLetterTargetArn: arnOf('OrdersDeadLetterQueue') },
      TopicArn: refOf('Events'),
    });
  });

  it('lets that topic send to its two queues, and nobody else', () => {
    const { stack, orders } = ordersEndpoint();
    orders.subscribesTo(new Topic(stack, 'Events'));
    for (const queue of ['OrdersQueue', 'OrdersDeadLetterQueue']) {
      expect(allowedSends(stack, queue)).toEqual([sendFrom('sns.amazonaws.com', refOf('Events'), queue)]);
    }
    expect(allowedSends(stack, 'OrdersErrorQueue')).toEqual([]);
  });

  it.each<[string, TopicSubscriptionOptions, object]>([
    [
      'wrapped and through a filter',
      {
        rawMessageDelivery: false,
        filterPolicy: { country: SubscriptionFilter.stringFilter({ allowlist: ['CH'] }) },
      },
      { RawMessageDelivery: false, FilterPolicy: { country: ['CH'] } },
    ],
    ['of some types', { messageTypes: ['A', 'B'] }, { FilterPolicy: { 'Sagabox.MessageType': ['A', 'B'] } }],
  ])('may get messages %s', (_how, options, subscription) => {
    const { stack, orders } = ordersEndpoint();
    orders.subscribesTo(new Topic(stack, 'Events'), options);
    expect(propertiesOf(stack, SUBSCRIPTION)).toMatchObject(subscription);
  });

  it('that is FIFO gets messages of FIFO topics only', () => {
    const { stack, orders } = ordersEndpoint({ fifo: true });
    expect(() => orders.subscribesTo(new Topic(stack, 'Any'))).toThrow("the topic 'Test/Any' is standard");
    orders.subscribesTo(new Topic(stack, 'Events', { fifo: true }));
    expect(propertiesOf(stack, SUBSCRIPTION)).toMatchObject({
      RedrivePolicy: { deadLetterTargetArn: arnOf('OrdersDeadLetterQueue') },
    });
  });

  it('keeps what a FIFO topic could not deliver to its standard queue in a FIFO queue', () => {
    const { stack, orders } = ordersEndpoint({ deadLetterRetention: Duration.days(5) });
    orders.subscribesTo(new Topic(stack, 'Events', { fifo: true }));
    expect(propertiesOf(stack, SUBSCRIPTION)).toMatchObject({
      RedrivePolicy: { deadLetterTargetArn: arnOf('OrdersUndeliveredQueue') },
    });
    expect(propertiesOf(stack, QUEUE, 'OrdersUndeliveredQueue')).toEqual({
      MaximumMessageSize: 1_048_576,
      FifoQueue: true,
      MessageRetentionPeriod: 432_000,
      SqsManagedSseEnabled: true,
    });
    expect(orders.metricUndeliveredQueueMessages()).toMatchObject({
      metricName: 'ApproximateNumberOfMessagesVisible',
      dimensions: { QueueName: orders.undeliveredQueue?.queueName },
    });
    expect(stack.resolve(orders.undeliveredQueue?.queueArn)).toEqual(arnOf('OrdersUndeliveredQueue'));
  });

  it('has no queue for them when all its topics are of its own kind', () => {
    const { stack, orders } = ordersEndpoint();
    orders.subscribesTo(new Topic(stack, 'Events'));
    expect(orders.undeliveredQueue).toBeUndefined();
    expect(() => orders.metricUndeliveredQueueMessages()).toThrow(
      /undeliveredQueue of 'Test\/Orders': the endpoint subscribes to no source .* Watch metricDeadLetterQueueMessages/,
    );
  });

  it('names the types that it wants, if any', () => {
    const { stack, orders } = ordersEndpoint();
    const topic = new Topic(stack, 'Events');
    expect(() => orders.subscribesTo(topic, { messageTypes: [] })).toThrow('messageTypes is empty');
    expect(() => orders.subscribesTo(topic, { messageTypes: ['A', ''] })).toThrow('messageTypes is empty');
    expect(() => orders.subscribesTo(topic, { messageTypes: ['A'] })).not.toThrow();
  });

  it('does so once, under whatever name the topic was imported', () => {
    const { stack, orders } = ordersEndpoint();
    const topic = (id: string, name: string) =>
      Topic.fromTopicArn(stack, id, `arn:aws:sns:eu-west-1:111111111111:${name}`);
    orders.subscribesTo(topic('Events', 'events'), { messageTypes: ['A'] });
    expect(() => orders.subscribesTo(topic('Again', 'events'), { messageTypes: ['B'] })).toThrow(
      "subscribesTo of 'Test/Orders': it subscribes to the topic 'Test/Again' already",
    );
    expect(() => orders.subscribesTo(topic('Others', 'others'))).not.toThrow();
  });
});

describe('an endpoint that subscribes to an event bus', () => {
  it('gets the events of types and endpoints, and keeps what could not be delivered', () => {
    const { stack, orders } = ordersEndpoint();
    const billing = inlineEndpoint(stack, 'Billing');
    orders.subscribesTo(new EventBus(stack, 'Company'), {
      messageTypes: ['OrderPaid'],
      fromEndpoints: [billing, 'shipping'],
    });
    expect(propertiesOf(stack, RULE)).toEqual({
      EventBusName: refOf('Company'),
      EventPattern: { source: ['sagabox.billing', 'sagabox.shipping'], 'detail-type': ['OrderPaid'] },
      State: 'ENABLED',
      Targets: [
        {
          Arn: arnOf('OrdersQueue'),
          DeadLetterConfig: { Arn: arnOf('OrdersDeadLetterQueue') },
          Id: 'Target0',
        },
      ],
    });
  });

  it('lets that rule send to its two queues, and nobody else', () => {
    const { stack, orders } = ordersEndpoint();
    orders.subscribesTo(new EventBus(stack, 'Company'), { messageTypes: ['OrderPaid'] });
    for (const queue of ['OrdersQueue', 'OrdersDeadLetterQueue']) {
      const rule = arnOf('OrdersFromCompany');
      expect(allowedSends(stack, queue)).toEqual([sendFrom('events.amazonaws.com', rule, queue)]);
    }
  });

  it.each([
    [{ messageTypes: ['A'] }, { 'detail-type': ['A'] }],
    [{ fromEndpoints: ['billing'] }, { source: ['sagabox.billing'] }],
    [{ eventPattern: { source: ['aws.s3'] } }, { source: ['aws.s3'] }],
  ])('by %j gets %j', (options, pattern) => {
    const { stack, orders } = ordersEndpoint();
    orders.subscribesTo(new EventBus(stack, 'Company'), options);
    expect(propertiesOf(stack, RULE).EventPattern).toEqual(pattern);
  });

  it.each([
    [{}, 'it does not tell which events of the bus'],
    [{ messageTypes: [] }, 'messageTypes is empty'],
    [{ fromEndpoints: [] }, 'fromEndpoints is empty'],
  ])('is refused with %j', (options, problem) => {
    const { stack, orders } = ordersEndpoint();
    expect(() => orders.subscribesTo(new EventBus(stack, 'Company'), options)).toThrow(
      `subscribesTo of 'Test/Orders': ${problem}`,
    );
  });

  it('may have several rules, on the default bus too', () => {
    const { stack, orders } = ordersEndpoint();
    const bus = EventBus.fromEventBusName(stack, 'Default', 'default');
    orders.subscribesTo(bus, { messageTypes: ['A'] });
    orders.subscribesTo(bus, { messageTypes: ['B'] });
    const rules = Object.values(Template.fromStack(stack).findResources(RULE));
    expect(rules.map((rule) => rule.Properties.EventPattern)).toEqual([
      { 'detail-type': ['A'] },
      { 'detail-type': ['B'] },
    ]);
  });

  it('names a message group when it is FIFO, and takes messages without a deduplication id', () => {
    const { stack, orders } = ordersEndpoint({ fifo: true });
    const bus = new EventBus(stack, 'Company');
    expect(propertiesOf(stack, QUEUE, 'OrdersQueue')).not.toHaveProperty('ContentBasedDeduplication');
    for (const group of [{}, { messageGroupId: '' }]) {
      expect(() => orders.subscribesTo(bus, { messageTypes: ['A'], ...group })).toThrow(
        'a FIFO queue takes no event without a message group',
      );
    }
    expect(Object.keys(Template.fromStack(stack).findResources(RULE))).toEqual([]);
  });

  it('that is FIFO keeps what could not be delivered in a standard queue', () => {
    const { stack, orders } = ordersEndpoint({ fifo: true });
    orders.subscribesTo(new EventBus(stack, 'Company'), { messageTypes: ['A'], messageGroupId: 'company' });
    expect(propertiesOf(stack, RULE)).toMatchObject({
      Targets: [
        {
          DeadLetterConfig: { Arn: arnOf('OrdersUndeliveredQueue') },
          SqsParameters: { MessageGroupId: 'company' },
        },
      ],
    });
    expect(propertiesOf(stack, QUEUE, 'OrdersQueue')).toMatchObject({ ContentBasedDeduplication: true });
    expect(propertiesOf(stack, QUEUE, 'OrdersUndeliveredQueue')).not.toHaveProperty('FifoQueue');
    expect(allowedSends(stack, 'OrdersDeadLetterQueue')).toEqual([]);
  });
});

describe('a topic or an event bus of another region, subscribed to', () => {
  it.each([
    ['us-east-1', 'no problem'],
    [undefined, 'no problem'],
    ['eu-west-1', 'subscribesTo: Regional/Topic, Regional/Bus is in another region'],
  ])('from %s: %s', (region, report) => {
    const violation = report === 'no problem' ? '' : report;
    const stack = regionalStack(region);
    const orders = inlineEndpoint(stack, 'Orders');
    orders.subscribesTo(Topic.fromTopicArn(stack, 'Topic', 'arn:aws:sns:us-east-1:111111111111:events'));
    const busArn = 'arn:aws:events:us-east-1:111111111111:event-bus/company';
    orders.subscribesTo(EventBus.fromEventBusArn(stack, 'Bus', busArn), { messageTypes: ['A'] });
    expectViolation(stack, violation);
  });
});

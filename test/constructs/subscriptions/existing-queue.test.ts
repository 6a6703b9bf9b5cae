import { describe, expect, it } from '@jest/globals';
import { App, Duration, Stack } from 'aws-cdk-lib';
import { Annotations, Match } from 'aws-cdk-lib/assertions';
import { EventBus } from 'aws-cdk-lib/aws-events';
import { Key } from 'aws-cdk-lib/aws-kms';
import { Topic } from 'aws-cdk-lib/aws-sns';
import { type IQueue, Queue } from 'aws-cdk-lib/aws-sqs';
import type { MessageEndpoint } from 'sagabox/constructs';
import {
  arnOf,
  inlineEndpoint,
  inlineFunction,
  propertiesOf,
  unbundledStack,
  violationsOf,
} from '../support.ts';

const warningsOf = (stack: Stack) =>
  Annotations.fromStack(stack)
    .findWarning('*', Match.stringLikeRegexp('policy stays as it is'))
    .map(({ entry }) => String(entry.data));

describe('an imported queue of an endpoint', () => {
  function subscribed(subscribe: (orders: MessageEndpoint, stack: Stack) => void): string[] {
    const stack = unbundledStack();
    const queue = Queue.fromQueueArn(stack, 'Given', 'arn:aws:sqs:eu-west-1:111111111111:given');
    subscribe(inlineEndpoint(stack, 'Orders', { queue }), stack);
    expect(violationsOf(stack)).toBe('');
    return warningsOf(stack);
  }

  it('has to be opened by its owner to each topic and rule', () => {
    const { topicArn, ...warnings } = { topicArn: 'arn:aws:sns:eu-west-1:111111111111:events', found: [''] };
    warnings.found = subscribed((orders, stack) => {
      orders.subscribesTo(new Topic(stack, 'Events'));
      orders.subscribesTo(Topic.fromTopicArn(stack, 'Known', topicArn));
      orders.subscribesTo(new EventBus(stack, 'Bus'), { messageTypes: ['OrderPlaced'] });
    });
    const statement = (service: string, arn: string) =>
      `allows ${service} sqs:SendMessage, with ArnEquals for aws:SourceArn and ${arn}:`;
    expect(warnings.found).toEqual([
      expect.stringContaining(statement('sns.amazonaws.com', "the ARN of 'Test/Events'")),
      expect.stringContaining(statement('sns.amazonaws.com', `'${topicArn}'`)),
      expect.stringContaining(statement('events.amazonaws.com', "the ARN of 'Test/Orders/FromBus'")),
    ]);
  });

  it('is named with all else that cannot be checked of it', () => {
    const stack = unbundledStack();
    const queue = Queue.fromQueueArn(stack, 'Given', 'arn:aws:sqs:eu-west-1:111111111111:given');
    inlineEndpoint(stack, 'Orders', { queue, function: inlineFunction(stack, 'Slow', Duration.seconds(20)) });
    Annotations.fromStack(stack).hasWarning(
      '/Test/Orders',
      Match.stringLikeRegexp(
        "'Test/Given' is imported.*maxBatchingWindow, 120 s, that it has a dead letter queue",
      ),
    );
  });

  it('leaves its dead letter queue to alarms and redrives, and undelivered messages to a queue of the endpoint', () => {
    const stack = unbundledStack();
    const [queue, deadLetterQueue] = ['given', 'dead'].map((name) =>
      Queue.fromQueueArn(stack, name, `arn:aws:sqs:eu-west-1:111111111111:${name}`),
    ) as [IQueue, IQueue];
    const orders = inlineEndpoint(stack, 'Orders', { queue, deadLetterQueue });
    orders.subscribesTo(new Topic(stack, 'Events'));
    expect(orders.metricDeadLetterQueueMessages().dimensions).toEqual({ QueueName: 'dead' });
    expect(propertiesOf(stack, 'AWS::SNS::Subscription').RedrivePolicy).toEqual({
      deadLetterTargetArn: arnOf('OrdersUndeliveredQueue'),
    });
  });

  it('needs nothing of its owner without subscriptions', () => {
    expect(subscribed(() => undefined)).toEqual([]);
  });
});

describe('an imported FIFO queue that events come to', () => {
  const needsDeduplication = (subscribe: (orders: MessageEndpoint, stack: Stack) => void) => {
    const stack = unbundledStack();
    const queue = Queue.fromQueueArn(stack, 'Given', 'arn:aws:sqs:eu-west-1:111111111111:given.fifo');
    subscribe(inlineEndpoint(stack, 'Orders', { queue }), stack);
    const warnings = Annotations.fromStack(stack).findWarning(
      '*',
      Match.stringLikeRegexp("'Test/Given' is imported.*content-based deduplication"),
    );
    return warnings.length;
  };

  it('has to deduplicate by content, as they have no deduplication id', () => {
    const bus = { messageTypes: ['OrderPlaced'], messageGroupId: 'all' };
    expect(needsDeduplication((orders, stack) => orders.subscribesTo(new EventBus(stack, 'Bus'), bus))).toBe(
      1,
    );
    const fifo = { fifo: true };
    expect(needsDeduplication((orders, stack) => orders.subscribesTo(new Topic(stack, 'T', fifo)))).toBe(0);
  });
});

describe('the key of a dead letter queue', () => {
  it.each<[string, (orders: MessageEndpoint, stack: Stack) => void]>([
    ['sns', (orders, stack) => orders.subscribesTo(new Topic(stack, 'Events'))],
    [
      'events',
      (orders, stack) => orders.subscribesTo(new EventBus(stack, 'Bus'), { messageTypes: ['Paid'] }),
    ],
  ])('may be used by %s, as that of its queue', (service, subscribe) => {
    const stack = unbundledStack();
    const [ofQueue, ofDeadLetters] = [new Key(stack, 'OfQueue'), new Key(stack, 'OfDeadLetters')];
    const dead = new Queue(stack, 'Dead', { encryptionMasterKey: ofDeadLetters });
    const queue = new Queue(stack, 'Queue', {
      encryptionMasterKey: ofQueue,
      visibilityTimeout: Duration.minutes(2),
      deadLetterQueue: { queue: dead, maxReceiveCount: 3 },
    });
    subscribe(inlineEndpoint(stack, 'Orders', { queue }), stack);
    for (const key of ['OfQueue', 'OfDeadLetters'])
      expect(JSON.stringify(propertiesOf(stack, 'AWS::KMS::Key', key))).toContain(`${service}.amazonaws.com`);
  });
});

describe('a queue of another stack', () => {
  const data = (app: App) => {
    const stack = new Stack(app, 'Data');
    const deadLetterQueue = { queue: new Queue(stack, 'Dead'), maxReceiveCount: 5 };
    return { stack, queue: new Queue(stack, 'Queue', { deadLetterQueue }) };
  };

  it.each<[string, (orders: MessageEndpoint, shop: Stack, data: Stack) => void, string]>([
    [
      'a topic of the endpoint',
      (orders, shop) => orders.subscribesTo(new Topic(shop, 'Events')),
      'Shop/Events',
    ],
    [
      'a bus of the queue',
      (orders, _shop, stack) => orders.subscribesTo(new EventBus(stack, 'Bus'), { messageTypes: ['A'] }),
      'Shop/Orders/From',
    ],
  ])('cannot name what depends on it: %s', (_, subscribe, source) => {
    const app = new App();
    const { stack, queue } = data(app);
    const shop = new Stack(app, 'Shop');
    subscribe(inlineEndpoint(shop, 'Orders', { queue }), shop, stack);
    const found = violationsOf(shop);
    expect(found).toContain(`[Data/Queue] subscribesTo: 'Data/Queue' refers to '${source}`);
    expect(found).toContain(
      "the stacks 'Data' and 'Shop' would depend on each other. Declare the endpoint in the stack of its queue",
    );
    // The endpoint depends on the stack of its queue anyway.
    expect(found).not.toContain("the stacks 'Shop' and 'Data'");
  });

  it('can name a topic of the endpoint that has a name', () => {
    const app = new App();
    const { stack, queue } = data(app);
    const shop = new Stack(app, 'Shop');
    inlineEndpoint(shop, 'Orders', { queue }).subscribesTo(
      new Topic(shop, 'Events', { topicName: 'events' }),
    );
    expect(violationsOf(shop)).toBe('');
    expect([stack.dependencies, shop.dependencies]).toEqual([[], [stack]]);
    expect(JSON.stringify(propertiesOf(stack, 'AWS::SQS::QueuePolicy', 'QueuePolicy'))).toContain(':events"');
  });

  it('can name a topic of its own stack', () => {
    const app = new App();
    const { stack, queue } = data(app);
    const shop = new Stack(app, 'Shop');
    inlineEndpoint(shop, 'Orders', { queue }).subscribesTo(new Topic(stack, 'Events'));
    expect(violationsOf(shop)).toBe('');
  });
});

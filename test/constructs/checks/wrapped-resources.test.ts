import { describe, expect, it } from '@jest/globals';
import type { CfnResource, Stack } from 'aws-cdk-lib';
import { CfnGlobalTable, CfnTable } from 'aws-cdk-lib/aws-dynamodb';
import { CfnEventBus, EventBus } from 'aws-cdk-lib/aws-events';
import { CfnKey, Key } from 'aws-cdk-lib/aws-kms';
import { Bucket, CfnBucket } from 'aws-cdk-lib/aws-s3';
import { CfnTopic, Topic } from 'aws-cdk-lib/aws-sns';
import { CfnQueue, Queue } from 'aws-cdk-lib/aws-sqs';
import { type MessageEndpoint, type MessageEndpointProps, MessagingTable } from 'sagabox/constructs';
import { inlineEndpoint, refusal, unbundledStack, violationsOf } from '../support.ts';

const keySchema = [
  { attributeName: 'PK', keyType: 'HASH' },
  { attributeName: 'SK', keyType: 'RANGE' },
];
const table = {
  keySchema,
  attributeDefinitions: keySchema.map(({ attributeName }) => ({ attributeName, attributeType: 'S' })),
  timeToLiveSpecification: { attributeName: 'ExpiresAt', enabled: true },
};

type Props = Partial<MessageEndpointProps>;

const cases: [
  setting: string,
  wrapping: string,
  made: (stack: Stack) => CfnResource,
  (made: never) => Props,
][] = [
  [
    'sagaTable',
    'MessagingTable.fromTableArn(scope, id, table.attrArn)',
    (stack) => new CfnTable(stack, 'Own', table),
    (sagaTable) => ({ sagaTable, outboxTable: sagaTable }),
  ],
  [
    'outboxTable',
    'MessagingTable.fromTableArn(scope, id, table.attrArn)',
    (stack) => new CfnGlobalTable(stack, 'Own', { ...table, replicas: [{ region: stack.region }] }),
    (outboxTable) => ({ outboxTable }),
  ],
  [
    'queue',
    'Queue.fromQueueArn(scope, id, queue.attrArn)',
    (stack) => new CfnQueue(stack, 'Own'),
    (queue) => ({ queue }),
  ],
  [
    'errorQueue',
    'Queue.fromQueueArn(scope, id, queue.attrArn)',
    (stack) => new CfnQueue(stack, 'Own'),
    (errorQueue) => ({ errorQueue }),
  ],
  [
    'encryptionKey',
    'Key.fromKeyArn(scope, id, key.attrArn)',
    (stack) => new CfnKey(stack, 'Own'),
    (encryptionKey) => ({ encryptionKey }),
  ],
];

describe('an L1 resource', () => {
  it.each(cases)('is reported with its wrapping: %s, %s', (setting, wrapping, made, props) => {
    const stack = unbundledStack();
    inlineEndpoint(stack, 'Orders', props(made(stack) as never));
    expect(violationsOf(stack)).toContain(
      `[Test/Orders] ${setting}: 'Test/Own' is an L1 resource. Wrap it, as in ${wrapping}.`,
    );
  });

  it.each([
    [
      'a queue',
      (stack: Stack) => new CfnQueue(stack, 'Own', { fifoQueue: true }),
      'fromQueueAttributes(scope, id, { queueArn: queue.attrArn, fifo: true })',
    ],
    [
      'a topic',
      (stack: Stack) => new CfnTopic(stack, 'Own', { fifoTopic: true }),
      "fromTopicArn(scope, id, stack.formatArn({ service: 'sns', resource: '<name>.fifo' }))",
    ],
  ])('of FIFO is wrapped as one: %s', (_kind, made, wrapping) => {
    const stack = unbundledStack();
    const orders = inlineEndpoint(stack, 'Orders');
    orders.sendsTo({
      name: 'own',
      [made(stack) instanceof CfnQueue ? 'queue' : 'topic']: stack.node.findChild('Own'),
    } as never);
    expect(violationsOf(stack)).toContain(wrapping);
  });

  it('is not told to be wrapped where another kind is asked for', () => {
    const stack = unbundledStack();
    inlineEndpoint(stack, 'Orders', { queue: new CfnTopic(stack, 'Own') as never });
    expect(violationsOf(stack)).toContain("queue: 'Test/Own' is not a queue. Use one.");
  });

  it.each<[string, (orders: MessageEndpoint, own: never) => void, (stack: Stack) => CfnResource, string]>([
    [
      'sendsTo.queue',
      (orders, queue) => orders.sendsTo({ name: 'own', queue }),
      (stack) => new CfnQueue(stack, 'Own'),
      'Queue.fromQueueArn',
    ],
    [
      'publishesTo',
      (orders, topic) => orders.publishesTo(topic),
      (stack) => new CfnTopic(stack, 'Own'),
      'Topic.from',
    ],
    [
      'publishesTo',
      (orders, bus) => orders.publishesTo(bus),
      (stack) => new CfnEventBus(stack, 'Own', { name: 'own' }),
      'EventBus.from',
    ],
  ])('is reported by %s', (setting, use, made, wrapping) => {
    const stack = unbundledStack();
    use(inlineEndpoint(stack, 'Orders'), made(stack) as never);
    expect(violationsOf(stack)).toMatch(
      new RegExp(`${setting}.*: 'Test/Own' is an L1 resource\\. Wrap it, as in ${wrapping}`),
    );
  });

  it('is refused by subscribesTo', () => {
    const stack = unbundledStack();
    const orders = inlineEndpoint(stack, 'Orders');
    const topic = new CfnTopic(stack, 'Own');
    expect(refusal(() => orders.subscribesTo(topic as never))).toMatchObject({
      message: expect.stringContaining("'Test/Own' is an L1 resource. Wrap it, as in Topic.fromTopicArn"),
    });
  });
});

it('what the wrapping makes is taken', () => {
  const stack = unbundledStack();
  const own = MessagingTable.fromTableArn(stack, 'Table', new CfnTable(stack, 'OwnTable', table).attrArn);
  const key = Key.fromKeyArn(stack, 'Key', new CfnKey(stack, 'OwnKey').attrArn);
  const orders = inlineEndpoint(stack, 'Orders', { sagaTable: own, outboxTable: own, encryptionKey: key });
  const queue = Queue.fromQueueArn(stack, 'Queue', new CfnQueue(stack, 'OwnQueue').attrArn);
  const bucket = Bucket.fromBucketArn(stack, 'Bucket', new CfnBucket(stack, 'OwnBucket').attrArn);
  inlineEndpoint(stack, 'Billing', { claimCheck: { bucket } });
  orders.sendsTo({ name: 'own', queue });
  orders.publishesTo(Topic.fromTopicArn(stack, 'Topic', new CfnTopic(stack, 'OwnTopic').ref));
  const bus = new CfnEventBus(stack, 'OwnBus', { name: 'own' });
  orders.sendsTo({ name: 'bus', eventBus: EventBus.fromEventBusArn(stack, 'Bus', bus.attrArn) });
  expect(violationsOf(stack)).toBe('');
});

import { describe, expect, it } from '@jest/globals';
import { Aspects, CfnParameter, type CfnResource, Duration, type Stack } from 'aws-cdk-lib';
import { Topic } from 'aws-cdk-lib/aws-sns';
import { CfnQueue, Queue } from 'aws-cdk-lib/aws-sqs';
import type { IConstruct } from 'constructs';
import { type MessageEndpoint, OutboxTable } from 'sagabox/constructs';
import { inlineFunction, ordersEndpoint, variablesOf, violationsOf } from '../support.ts';

type Part = 'function' | 'queue' | 'deadLetterQueue' | 'errorQueue' | 'EventSource';
type Change = readonly [part: Part, path: string, value: unknown];

function resourceOf(orders: MessageEndpoint, part: Part): CfnResource {
  const owner = part === 'EventSource' ? orders.node.findChild(part) : orders[part];
  return owner?.node.defaultChild as CfnResource;
}

/** What no prop of the endpoint tells. */
const ways: Record<string, (resource: CfnResource, path: string, value: unknown) => void> = {
  'an escape hatch': (resource, path, value) => resource.addPropertyOverride(path, value),
  'an aspect': (resource, path, value) =>
    Aspects.of(resource.node.root).add({
      visit: (node: IConstruct) => {
        if (node === resource) resource.addPropertyOverride(path, value);
      },
    }),
};

const fourteenDays = 14 * 86_400;

const cases: [string, readonly Change[], RegExp][] = [
  [
    'queues that keep messages for 14 days',
    (['queue', 'deadLetterQueue', 'errorQueue'] as const).map(
      (part) => [part, 'MessageRetentionPeriod', fourteenDays] as const,
    ),
    new RegExp(`deduplicationPeriod: .* remembered for 1296000 s, .* Use at least ${3 * fourteenDays} s`),
  ],
  [
    'a timeout of 175 s beside a visibility of 18 s',
    [['function', 'Timeout', 175]],
    /visibilityTimeout: 18 s is less than 6 times the function's timeout of 175 s, .* Use at least 1050 s/,
  ],
  ['a timeout beyond what Lambda takes', [['function', 'Timeout', '901']], /functionTimeout: 901 s/],
  [
    'a visibility of a second',
    [['queue', 'VisibilityTimeout', 1]],
    /visibilityTimeout: 1 s is less than 6 times the function's timeout of 3 s/,
  ],
  [
    'a window of ten seconds',
    [['EventSource', 'MaximumBatchingWindowInSeconds', 10]],
    /visibilityTimeout: 18 s .* and the maxBatchingWindow of 10 s/,
  ],
  [
    'more receives than the function knows of',
    [['queue', 'RedrivePolicy.maxReceiveCount', 50]],
    /maxReceiveCount: .* received 50 times, and the function was told 5: it gives a message up after 5\. Set/,
  ],
  [
    'fewer receives than the function knows of',
    [['queue', 'RedrivePolicy.maxReceiveCount', 3]],
    /maxReceiveCount: .* received 3 times, and the function was told 5: it never knows which is the last/,
  ],
  [
    'a queue without a dead letter queue',
    [['queue', 'RedrivePolicy', { Ref: 'AWS::NoValue' }]],
    /queue: its template has no redrive policy, so that/,
  ],
  [
    'a visibility that is the default of SQS',
    [
      ['function', 'Timeout', 10],
      ['queue', 'VisibilityTimeout', { Ref: 'AWS::NoValue' }],
    ],
    /visibilityTimeout: 30 s is less than 6 times the function's timeout of 10 s/,
  ],
  [
    'another count in the environment',
    [['function', 'Environment.Variables.SAGABOX_MAX_RECEIVE_COUNT', '4']],
    /maxReceiveCount: .* received 5 times, and the function was told 4/,
  ],
  [
    'a shorter memory in the environment',
    [['function', 'Environment.Variables.SAGABOX_DEDUPLICATION_PERIOD_SECONDS', '3600']],
    /deduplicationPeriod: handled messages are remembered for 3600 s/,
  ],
  [
    'dead letters that are kept for a minute',
    [['deadLetterQueue', 'MessageRetentionPeriod', 60]],
    /deadLetterRetention: 60 s is less than the queue's retention/,
  ],
  [
    'an error queue that keeps messages for a minute',
    [['errorQueue', 'MessageRetentionPeriod', 60]],
    /deadLetterRetention: 60 s is less than the queue's retention/,
  ],
  [
    'a batch that is taken for handled',
    [['EventSource', 'FunctionResponseTypes', []]],
    /function: Test\/Orders\/EventSource\/Resource invokes it without ReportBatchItemFailures/,
  ],
  [
    'less reserved than the queue may invoke',
    [
      ['EventSource', 'ScalingConfig.MaximumConcurrency', 10],
      ['function', 'ReservedConcurrentExecutions', 5],
    ],
    /maxConcurrency: 10 is more than the reservedConcurrentExecutions of the function, 5/,
  ],
  [
    'a key of AWS on the queue of a topic',
    [['queue', 'KmsMasterKeyId', 'alias/aws/sqs']],
    /subscribesTo: Test\/Orders\/Queue has QueueEncryption\.KMS_MANAGED/,
  ],
  [
    'a key of AWS on the dead letter queue of a topic',
    [['deadLetterQueue', 'KmsMasterKeyId', 'arn:aws:kms:eu-west-1:111111111111:alias/aws/sqs']],
    /subscribesTo: Test\/Orders\/DeadLetterQueue has QueueEncryption\.KMS_MANAGED/,
  ],
];

describe('what is deployed is judged, not what the props say', () => {
  const subscribed = () => {
    const parts = ordersEndpoint((stack) => ({ outboxTable: new OutboxTable(stack, 'Outbox') }));
    parts.orders.subscribesTo(new Topic(parts.stack, 'Topic'));
    return parts;
  };

  it('an endpoint that nothing was changed of is sound', () => {
    expect(violationsOf(subscribed().stack)).toBe('');
  });

  describe.each(Object.entries(ways))('by %s', (_way, change) => {
    it.each(cases)('%s', (_what, changes, found) => {
      const { stack, orders } = subscribed();
      for (const [part, path, value] of changes) change(resourceOf(orders, part), path, value);
      expect(violationsOf(stack)).toMatch(found);
    });
  });

  it('what an override makes right is right', () => {
    const { stack, orders } = ordersEndpoint((scope: Stack) => ({
      queue: new Queue(scope, 'Given', {
        deadLetterQueue: { queue: new Queue(scope, 'Dead'), maxReceiveCount: 5 },
      }),
    }));
    resourceOf(orders, 'function').addPropertyOverride('Timeout', 6);
    expect(violationsOf(stack)).toContain('visibilityTimeout: 30 s');
    resourceOf(orders, 'queue').addPropertyOverride('VisibilityTimeout', 36);
    expect(violationsOf(stack)).toBe('');
  });

  it('an endpoint whose mapping was taken away is judged by the rest', () => {
    const { stack, orders } = ordersEndpoint();
    orders.node.tryRemoveChild('EventSource');
    resourceOf(orders, 'function').addPropertyOverride('Timeout', 175);
    expect(violationsOf(stack)).toContain('visibilityTimeout: 18 s');
  });

  it('an L1 queue that is wrapped is judged as its template says', () => {
    const { stack } = ordersEndpoint((scope: Stack) => {
      const own = new CfnQueue(scope, 'L1', { visibilityTimeout: 1, redrivePolicy: { maxReceiveCount: 5 } });
      return { queue: Queue.fromQueueArn(scope, 'Given', own.attrArn) };
    });
    expect(violationsOf(stack)).toContain('visibilityTimeout: 1 s is less than 6 times');
  });

  it('a queue and a function whose times are parameters are left to their user', () => {
    const { stack } = ordersEndpoint((scope: Stack) => {
      const seconds = (id: string) =>
        Duration.seconds(new CfnParameter(scope, id, { type: 'Number' }).valueAsNumber);
      const queue = new Queue(scope, 'Given', {
        visibilityTimeout: seconds('Visibility'),
        deadLetterQueue: { queue: new Queue(scope, 'Dead'), maxReceiveCount: 5 },
      });
      return { queue, function: inlineFunction(scope, 'Timed', seconds('Timeout')) };
    });
    expect(violationsOf(stack)).toBe('');
  });

  it('a redrive policy of an escape hatch is one', () => {
    const { stack } = ordersEndpoint((scope: Stack) => {
      const queue = new Queue(scope, 'Given', { visibilityTimeout: Duration.minutes(1) });
      const deadLetterTargetArn = new Queue(scope, 'Dead').queueArn;
      (queue.node.defaultChild as CfnQueue).redrivePolicy = { deadLetterTargetArn, maxReceiveCount: 7 };
      return { queue };
    });
    expect(violationsOf(stack)).toBe('');
    expect(variablesOf(stack, 'Own').SAGABOX_MAX_RECEIVE_COUNT).toBe('7');
  });

  it('a value that is known only at deployment is left to its user', () => {
    const { stack, orders } = ordersEndpoint();
    resourceOf(orders, 'queue').addPropertyOverride('VisibilityTimeout', { 'Fn::ImportValue': 'Visibility' });
    resourceOf(orders, 'function').addPropertyOverride('Timeout', { 'Fn::ImportValue': 'Timeout' });
    expect(violationsOf(stack)).toBe('');
  });
});

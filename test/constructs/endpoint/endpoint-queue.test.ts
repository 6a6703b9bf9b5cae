import { describe, expect, it } from '@jest/globals';
import { Duration } from 'aws-cdk-lib';
import { Template } from 'aws-cdk-lib/assertions';
import { DeduplicationScope, FifoThroughputLimit, Queue } from 'aws-cdk-lib/aws-sqs';
import {
  allowedActions,
  arnOf,
  expectViolation,
  inlineEndpoint,
  ordersEndpoint,
  propertiesOf,
  refOf,
  startsWith,
  unbundledStack,
  variablesOf,
} from '../support.ts';
import { bundledEndpoint } from './bundled-endpoint.ts';

const QUEUE = 'AWS::SQS::Queue';
const MAPPING = 'AWS::Lambda::EventSourceMapping';

describe('the queue of an endpoint', () => {
  it('hides a message 6 times as long as the function may run, and hands it to the dead letter queue at last', () => {
    const stack = bundledEndpoint({ functionTimeout: Duration.seconds(20) });
    expect(propertiesOf(stack, QUEUE, 'OrdersQueue')).toMatchObject({
      VisibilityTimeout: 120,
      MaximumMessageSize: 1_048_576,
      MessageRetentionPeriod: 345_600,
      SqsManagedSseEnabled: true,
      RedrivePolicy: {
        deadLetterTargetArn: arnOf('OrdersDeadLetterQueue'),
        maxReceiveCount: 5,
      },
    });
    expect(propertiesOf(stack, QUEUE, 'OrdersDeadLetterQueue')).toEqual({
      MaximumMessageSize: 1_048_576,
      MessageRetentionPeriod: 604_800,
      SqsManagedSseEnabled: true,
    });
  });

  it('reckons with the 3 s of Lambda for a function without a timeout', () => {
    const { stack } = ordersEndpoint();
    expect(propertiesOf(stack, QUEUE, 'OrdersQueue')).toMatchObject({ VisibilityTimeout: 18 });
  });

  it('takes times and counts of its own', () => {
    const { stack } = ordersEndpoint({
      visibilityTimeout: Duration.minutes(10),
      retention: Duration.days(2),
      deadLetterRetention: Duration.days(3),
      maxReceiveCount: 1,
    });
    expect(propertiesOf(stack, QUEUE, 'OrdersQueue')).toMatchObject({
      VisibilityTimeout: 600,
      MessageRetentionPeriod: 172_800,
      RedrivePolicy: { maxReceiveCount: 1 },
    });
    expect(propertiesOf(stack, QUEUE, 'OrdersDeadLetterQueue')).toMatchObject({
      MessageRetentionPeriod: 259_200,
    });
  });

  it('is FIFO together with its dead letter queue and its error queue', () => {
    const { stack } = ordersEndpoint({ fifo: true });
    for (const id of ['OrdersQueue', 'OrdersDeadLetterQueue', 'OrdersErrorQueue'])
      expect(propertiesOf(stack, QUEUE, id)).toMatchObject({ FifoQueue: true });
  });

  it.each([
    [FifoThroughputLimit.PER_MESSAGE_GROUP_ID, undefined, ['perMessageGroupId', 'messageGroup']],
    [
      FifoThroughputLimit.PER_MESSAGE_GROUP_ID,
      DeduplicationScope.MESSAGE_GROUP,
      ['perMessageGroupId', 'messageGroup'],
    ],
    [undefined, DeduplicationScope.MESSAGE_GROUP, [undefined, 'messageGroup']],
    [undefined, undefined, [undefined, undefined]],
  ])(
    'that is FIFO has high throughput by group, if asked: %s, %s',
    (fifoThroughputLimit, deduplicationScope, found) => {
      const { stack } = ordersEndpoint({
        fifo: true,
        ...(fifoThroughputLimit && { fifoThroughputLimit }),
        ...(deduplicationScope && { deduplicationScope }),
      });
      const properties = propertiesOf(stack, 'AWS::SQS::Queue', 'OrdersQueue');
      expect([properties.FifoThroughputLimit, properties.DeduplicationScope]).toEqual(found);
      expectViolation(stack, '');
    },
  );

  it('tells the function how often it delivers a message', () => {
    const { stack } = ordersEndpoint({ maxReceiveCount: 8 });
    expect(variablesOf(stack, 'Own')).toMatchObject({ SAGABOX_MAX_RECEIVE_COUNT: '8' });
  });

  it('feeds the function in batches whose failures are reported one by one', () => {
    expect(propertiesOf(ordersEndpoint().stack, MAPPING)).toEqual({
      BatchSize: 10,
      EventSourceArn: arnOf('OrdersQueue'),
      FunctionName: refOf('Own'),
      FunctionResponseTypes: ['ReportBatchItemFailures'],
    });
    const { stack } = ordersEndpoint({ batchSize: 3, maxConcurrency: 7 });
    expect(propertiesOf(stack, MAPPING)).toMatchObject({
      BatchSize: 3,
      ScalingConfig: { MaximumConcurrency: 7 },
    });
  });

  it('refuses calls that are not encrypted', () => {
    const policies = Object.values(
      Template.fromStack(ordersEndpoint().stack).findResources('AWS::SQS::QueuePolicy'),
    );
    expect(policies).toHaveLength(3);
    expect(JSON.stringify(policies)).toContain('"aws:SecureTransport":"false"');
  });
});

describe('the error queue of an endpoint', () => {
  it.each([
    [undefined, 604_800],
    [Duration.days(5), 432_000],
  ])('is encrypted, and keeps messages as long as the dead letter queue: %s', (retention, seconds) => {
    const { stack } = ordersEndpoint(retention === undefined ? {} : { deadLetterRetention: retention });
    expect(propertiesOf(stack, QUEUE, 'OrdersErrorQueue')).toEqual({
      MaximumMessageSize: 1_048_576,
      MessageRetentionPeriod: seconds,
      SqsManagedSseEnabled: true,
    });
  });

  it('may be a queue that is there already', () => {
    const stack = unbundledStack();
    const errorQueue = new Queue(stack, 'Errors');
    const orders = inlineEndpoint(stack, 'Orders', { errorQueue });
    expect(orders.errorQueue).toBe(errorQueue);
    expect(allowedActions(stack)['Allow Errors']).toEqual(['sqs:SendMessage']);
    expect(variablesOf(stack, 'OrdersOwn').SAGABOX_ERROR_QUEUE).toEqual({
      'Fn::GetAtt': [startsWith('Errors'), 'QueueName'],
    });
    expect(Object.keys(Template.fromStack(stack).findResources(QUEUE))).toHaveLength(3);
  });

  it('may be left out: then its metric is refused', () => {
    const { stack, orders } = ordersEndpoint({ errorQueue: false });
    expect(orders.errorQueue).toBeUndefined();
    expect(Object.keys(Template.fromStack(stack).findResources(QUEUE))).toHaveLength(2);
    expect(() => orders.metricErrorQueueMessages()).toThrow(/errorQueue of 'Test\/Orders': there is none/);
  });

  it('has a metric of the messages that wait in it', () => {
    const { orders } = ordersEndpoint();
    const { metricName, dimensions } = orders.metricErrorQueueMessages();
    expect(metricName).toBe('ApproximateNumberOfMessagesVisible');
    expect(dimensions).toEqual({ QueueName: orders.errorQueue?.queueName });
  });
});

describe('the metrics of an endpoint', () => {
  it('show its queues', () => {
    const { orders } = ordersEndpoint();
    const namesAndQueues = [
      orders.metricWaitingMessages(),
      orders.metricAgeOfOldestMessageSeconds({ period: Duration.minutes(1) }),
      orders.metricDeadLetterQueueMessages(),
    ].map((metric) => [metric.metricName, metric.dimensions?.QueueName]);
    expect(namesAndQueues).toEqual([
      ['ApproximateNumberOfMessagesVisible', orders.queue.queueName],
      ['ApproximateAgeOfOldestMessage', orders.queue.queueName],
      ['ApproximateNumberOfMessagesVisible', orders.deadLetterQueue?.queueName],
    ]);
  });
});

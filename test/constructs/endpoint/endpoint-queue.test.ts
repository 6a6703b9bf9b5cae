import { describe, expect, it } from '@jest/globals';
import { Duration } from 'aws-cdk-lib';
import { Template } from 'aws-cdk-lib/assertions';
import { Queue } from 'aws-cdk-lib/aws-sqs';
import { MessageEndpoint } from 'sagabox/constructs';
import { allowedActions, inlineFunction, propertiesOf, unbundledStack } from '../support.ts';
import { bundledEndpoint, entry } from './bundled-endpoint.ts';

const FUNCTION = 'AWS::Lambda::Function';
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
        deadLetterTargetArn: { 'Fn::GetAtt': [expect.stringMatching(/^OrdersDeadLetterQueue/), 'Arn'] },
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
    const stack = unbundledStack();
    new MessageEndpoint(stack, 'Orders', { function: inlineFunction(stack, 'Own') });
    expect(propertiesOf(stack, QUEUE, 'OrdersQueue')).toMatchObject({ VisibilityTimeout: 18 });
  });

  it('takes times and counts of its own', () => {
    const stack = bundledEndpoint({
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

  it('is FIFO together with its dead letter queue', () => {
    const stack = bundledEndpoint({ fifo: true });
    expect(propertiesOf(stack, QUEUE, 'OrdersQueue')).toMatchObject({ FifoQueue: true });
    expect(propertiesOf(stack, QUEUE, 'OrdersDeadLetterQueue')).toMatchObject({ FifoQueue: true });
  });

  it('tells the function how often it delivers a message', () => {
    const { Environment } = propertiesOf(bundledEndpoint({ maxReceiveCount: 8 }), FUNCTION);
    expect(Environment).toMatchObject({ Variables: { SAGABOX_MAX_RECEIVE_COUNT: '8' } });
  });

  it('feeds the function in batches whose failures are reported one by one', () => {
    expect(propertiesOf(bundledEndpoint(), MAPPING)).toEqual({
      BatchSize: 10,
      EventSourceArn: { 'Fn::GetAtt': [expect.stringMatching(/^OrdersQueue/), 'Arn'] },
      FunctionName: { Ref: expect.stringMatching(/^OrdersFunction/) },
      FunctionResponseTypes: ['ReportBatchItemFailures'],
    });
    expect(propertiesOf(bundledEndpoint({ batchSize: 3, maxConcurrency: 7 }), MAPPING)).toMatchObject({
      BatchSize: 3,
      ScalingConfig: { MaximumConcurrency: 7 },
    });
  });

  it('refuses calls that are not encrypted', () => {
    const policies = Object.values(
      Template.fromStack(bundledEndpoint()).findResources('AWS::SQS::QueuePolicy'),
    );
    expect(policies).toHaveLength(3);
    expect(JSON.stringify(policies)).toContain('"aws:SecureTransport":"false"');
  });
});

describe('the error queue of an endpoint', () => {
  it('is encrypted, and keeps messages for 7 days', () => {
    expect(propertiesOf(bundledEndpoint(), QUEUE, 'OrdersErrorQueue')).toEqual({
      MaximumMessageSize: 1_048_576,
      MessageRetentionPeriod: 604_800,
      SqsManagedSseEnabled: true,
    });
  });

  it('is of the kind of the endpoint, and keeps messages as long as its dead letter queue', () => {
    const stack = bundledEndpoint({ fifo: true, deadLetterRetention: Duration.days(5) });
    expect(propertiesOf(stack, QUEUE, 'OrdersErrorQueue')).toMatchObject({
      FifoQueue: true,
      MessageRetentionPeriod: 432_000,
    });
  });

  it('may be a queue that is there already', () => {
    const stack = unbundledStack();
    const errorQueue = new Queue(stack, 'Errors');
    const orders = new MessageEndpoint(stack, 'Orders', { entry, errorQueue });
    expect(orders.errorQueue).toBe(errorQueue);
    expect(allowedActions(stack)['Allow Errors']).toEqual(['sqs:SendMessage']);
    expect(propertiesOf(stack, FUNCTION).Environment).toMatchObject({
      Variables: { SAGABOX_ERROR_QUEUE: { Ref: expect.stringMatching(/^Errors/) } },
    });
    expect(Object.keys(Template.fromStack(stack).findResources(QUEUE))).toHaveLength(3);
  });

  it('may be left out: then its metric is refused', () => {
    const stack = unbundledStack();
    const orders = new MessageEndpoint(stack, 'Orders', { entry, errorQueue: false });
    expect(orders.errorQueue).toBeUndefined();
    expect(Object.keys(Template.fromStack(stack).findResources(QUEUE))).toHaveLength(2);
    expect(() => orders.metricErrors()).toThrow(/errorQueue of 'Test\/Orders': it is false/);
  });

  it('has a metric of the messages that wait in it', () => {
    const stack = unbundledStack();
    const orders = new MessageEndpoint(stack, 'Orders', { entry });
    const { metricName, dimensions } = orders.metricErrors();
    expect(metricName).toBe('ApproximateNumberOfMessagesVisible');
    expect(dimensions).toEqual({ QueueName: orders.errorQueue?.queueName });
  });
});

describe('the metrics of an endpoint', () => {
  it('show its queues', () => {
    const stack = unbundledStack();
    const orders = new MessageEndpoint(stack, 'Orders', { entry });
    const namesAndQueues = [
      orders.metricWaitingMessages(),
      orders.metricAgeOfOldestMessageSeconds({ period: Duration.minutes(1) }),
      orders.metricDeadLetters(),
    ].map((metric) => stack.resolve([metric.metricName, metric.dimensions?.QueueName]));
    expect(namesAndQueues).toEqual([
      [
        'ApproximateNumberOfMessagesVisible',
        { 'Fn::GetAtt': [expect.stringMatching(/^OrdersQueue/), 'QueueName'] },
      ],
      [
        'ApproximateAgeOfOldestMessage',
        { 'Fn::GetAtt': [expect.stringMatching(/^OrdersQueue/), 'QueueName'] },
      ],
      [
        'ApproximateNumberOfMessagesVisible',
        { 'Fn::GetAtt': [expect.stringMatching(/^OrdersDeadLetterQueue/), 'QueueName'] },
      ],
    ]);
  });
});

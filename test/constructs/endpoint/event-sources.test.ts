import { describe, expect, it } from '@jest/globals';
import { Annotations, Match } from 'aws-cdk-lib/assertions';
import { EventField, Rule, RuleTargetInput } from 'aws-cdk-lib/aws-events';
import { SqsQueue } from 'aws-cdk-lib/aws-events-targets';
import { Stream } from 'aws-cdk-lib/aws-kinesis';
import { CfnEventSourceMapping, EventSourceMapping, StartingPosition } from 'aws-cdk-lib/aws-lambda';
import { KinesisEventSource, SqsEventSource } from 'aws-cdk-lib/aws-lambda-event-sources';
import { CfnPipe } from 'aws-cdk-lib/aws-pipes';
import type { IQueue } from 'aws-cdk-lib/aws-sqs';
import { inlineEndpoint, inlineFunction, ordersEndpoint, unbundledStack, violationsOf } from '../support.ts';

describe('another consumer of the queue of an endpoint', () => {
  it.each<[string, (queue: IQueue, ofOrders: ReturnType<typeof ordersEndpoint>) => void]>([
    [
      'a function with an event source',
      (queue, { stack }) => inlineFunction(stack, 'Other').addEventSource(new SqsEventSource(queue)),
    ],
    [
      'an L1 mapping',
      (queue, { stack }) =>
        void new CfnEventSourceMapping(stack, 'Mapping', {
          functionName: 'other',
          eventSourceArn: queue.queueArn,
        }),
    ],
    [
      'a pipe',
      (queue, { stack }) =>
        void new CfnPipe(stack, 'Pipe', { roleArn: 'role', source: queue.queueArn, target: 'target' }),
    ],
    [
      'a second mapping of its own function',
      (queue, { stack, orders }) =>
        void new EventSourceMapping(stack, 'Second', {
          target: orders.function,
          eventSourceArn: queue.queueArn,
          reportBatchItemFailures: true,
        }),
    ],
  ])('is refused: %s', (_what, consume) => {
    const ofOrders = ordersEndpoint();
    consume(ofOrders.orders.queue, ofOrders);
    expect(violationsOf(ofOrders.stack)).toMatch(
      /\[Test\/Orders\] queue: Test\/\S+ takes messages from it too/,
    );
  });

  it('of its error queue is none of its queue', () => {
    const { stack, orders } = ordersEndpoint();
    inlineFunction(stack, 'Other').addEventSource(new SqsEventSource(orders.errorQueue as IQueue));
    expect(violationsOf(stack)).toBe('');
  });

  it('is not told twice, if it is an endpoint', () => {
    const { stack, orders } = ordersEndpoint();
    inlineEndpoint(stack, 'Billing', { queue: orders.queue, errorQueue: false });
    const found = violationsOf(stack);
    expect(found).toContain('queue: Test/Billing receives from it too');
    expect(found).not.toContain('takes messages from it too');
  });
});

it('a stream that takes a batch for handled is refused on the function of an endpoint', () => {
  const { stack, orders } = ordersEndpoint();
  const stream = new Stream(stack, 'Stream');
  orders.function.addEventSource(
    new KinesisEventSource(stream, { startingPosition: StartingPosition.LATEST }),
  );
  expect(violationsOf(stack)).toMatch(
    /function: \S+KinesisEventSource\S+ invokes it without ReportBatchItem/,
  );
});

it('a source that knows no partial batches is none of these', () => {
  const { stack, orders } = ordersEndpoint();
  new EventSourceMapping(stack, 'Kafka', {
    target: orders.function,
    kafkaBootstrapServers: ['broker:9092'],
    kafkaTopic: 'topic',
  });
  expect(violationsOf(stack)).toBe('');
});

describe('a rule of EventBridge to the queue of an endpoint', () => {
  const warnings = (message?: RuleTargetInput) => {
    const stack = unbundledStack();
    const orders = inlineEndpoint(stack, 'Orders');
    const rule = new Rule(stack, 'Rule', { eventPattern: { source: ['any'] } });
    rule.addTarget(new SqsQueue(orders.queue, message ? { message } : {}));
    return Annotations.fromStack(stack).findWarning(
      '/Test/Orders',
      Match.stringLikeRegexp('^queue: Test/Rule'),
    );
  };

  it.each<[string, RuleTargetInput]>([
    ['a part of the event', RuleTargetInput.fromEventPath('$.detail')],
    ['a transformed event', RuleTargetInput.fromObject({ id: EventField.fromPath('$.detail.id') })],
    ['a text of its own', RuleTargetInput.fromText('go')],
  ])('is warned of if it sends %s', (_what, message) => {
    expect(warnings(message)).toHaveLength(1);
  });

  it('is right as it is', () => {
    expect(warnings()).toEqual([]);
  });
});

import { describe, expect, it } from '@jest/globals';
import { CfnCondition, CfnResource, Fn, Stack } from 'aws-cdk-lib';
import { Annotations, Match } from 'aws-cdk-lib/assertions';
import { CfnRule, EventField, Rule, RuleTargetInput } from 'aws-cdk-lib/aws-events';
import { SqsQueue } from 'aws-cdk-lib/aws-events-targets';
import { Stream } from 'aws-cdk-lib/aws-kinesis';
import {
  Alias,
  CfnEventSourceMapping,
  EventSourceMapping,
  type Function as LambdaFunction,
  StartingPosition,
} from 'aws-cdk-lib/aws-lambda';
import { KinesisEventSource, SqsEventSource } from 'aws-cdk-lib/aws-lambda-event-sources';
import { CfnPipe } from 'aws-cdk-lib/aws-pipes';
import { CfnQueue, type IQueue, Queue } from 'aws-cdk-lib/aws-sqs';
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
      'a mapping that an override leads to it',
      (queue, { stack }) => {
        const other = new CfnQueue(stack, 'Elsewhere');
        const mapping = { functionName: 'other', eventSourceArn: other.attrArn };
        new CfnEventSourceMapping(stack, 'Mapping', mapping).addPropertyOverride(
          'EventSourceArn',
          queue.queueArn,
        );
      },
    ],
    [
      'a mapping of no class of its own',
      (queue, { stack }) =>
        void new CfnResource(stack, 'Mapping', {
          type: 'AWS::Lambda::EventSourceMapping',
          properties: { FunctionName: 'other', EventSourceArn: queue.queueArn },
        }),
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

  it.each<[string, (queue: IQueue, ofOrders: ReturnType<typeof ordersEndpoint>) => void]>([
    [
      'one that is stopped',
      (queue, { stack }) =>
        inlineFunction(stack, 'Other').addEventSource(new SqsEventSource(queue, { enabled: false })),
    ],
    [
      'a pipe that is stopped',
      (queue, { stack }) =>
        void new CfnPipe(stack, 'Pipe', {
          roleArn: 'role',
          source: queue.queueArn,
          target: 'target',
          desiredState: 'STOPPED',
        }),
    ],
    [
      'one beside an endpoint that is stopped',
      (queue, { stack, orders }) => {
        inlineFunction(stack, 'Other').addEventSource(new SqsEventSource(queue));
        const own = orders.node.findChild('EventSource').node.defaultChild as CfnResource;
        own.addPropertyOverride('Enabled', false);
      },
    ],
    [
      'one that a condition may leave out',
      (queue, { stack }) => {
        const mapping = { functionName: 'other', eventSourceArn: queue.queueArn };
        const condition = new CfnCondition(stack, 'Old');
        new CfnEventSourceMapping(stack, 'Mapping', mapping).cfnOptions.condition = condition;
      },
    ],
    [
      'one that an override leads away',
      (queue, { stack }) => {
        const mapping = { functionName: 'other', eventSourceArn: queue.queueArn };
        const other = new CfnQueue(stack, 'Elsewhere');
        new CfnEventSourceMapping(stack, 'Mapping', mapping).addPropertyOverride(
          'EventSourceArn',
          other.attrArn,
        );
      },
    ],
  ])('is left to its user: %s', (_what, consume) => {
    const ofOrders = ordersEndpoint();
    consume(ofOrders.orders.queue, ofOrders);
    expect(violationsOf(ofOrders.stack)).toBe('');
  });

  it('is none in another stack of no known place, which imports a queue of the same name', () => {
    const app = unbundledStack().node.root;
    const [dev, prod] = ['Dev', 'Prod'].map((id) => new Stack(app, id));
    for (const stack of [dev, prod] as Stack[]) {
      const arn = stack.formatArn({ service: 'sqs', resource: 'orders' });
      inlineEndpoint(stack, 'Orders', { queue: Queue.fromQueueArn(stack, 'Queue', arn) });
    }
    expect(violationsOf(dev as Stack)).toBe('');
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

it.each([
  [
    'of another alias',
    (own: LambdaFunction) =>
      new Alias(own.stack, 'Live', { aliasName: 'live', version: own.currentVersion as never }),
  ],
  ['of the current version', (own: LambdaFunction) => own.currentVersion],
])('a stream %s of the function is refused, too', (_target, targetOf) => {
  const { stack, orders } = ordersEndpoint();
  const stream = new Stream(stack, 'Stream');
  const source = new KinesisEventSource(stream, { startingPosition: StartingPosition.LATEST });
  targetOf(orders.function).addEventSource(source);
  expect(violationsOf(stack)).toMatch(/invokes it without ReportBatchItemFailures/);
});

it('response types that are known only at deployment are left to their user', () => {
  const { stack, orders } = ordersEndpoint();
  const types = Fn.conditionIf('Any', ['ReportBatchItemFailures'], ['ReportBatchItemFailures']);
  new CfnEventSourceMapping(stack, 'Mapping', {
    functionName: orders.function.functionName,
    eventSourceArn: new Queue(stack, 'Other').queueArn,
    functionResponseTypes: types as never,
  });
  expect(violationsOf(stack)).toBe('');
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

  it('may have targets that are known only at deployment', () => {
    const stack = unbundledStack();
    inlineEndpoint(stack, 'Orders');
    const targets = Fn.conditionIf('Any', [], Fn.ref('AWS::NoValue'));
    new CfnRule(stack, 'Rule', { eventPattern: { source: ['any'] }, targets: targets as never });
    expect(violationsOf(stack)).toBe('');
  });

  it('of another stack with the same ids is none of its queue', () => {
    const app = unbundledStack().node.root;
    const [one, other] = ['One', 'Other'].map((id) => new Stack(app, id)) as [Stack, Stack];
    inlineEndpoint(one, 'Orders');
    const orders = inlineEndpoint(other, 'Orders');
    const rule = new Rule(other, 'Rule', { eventPattern: { source: ['any'] } });
    rule.addTarget(new SqsQueue(orders.queue, { message: RuleTargetInput.fromText('go') }));
    const found = (stack: Stack) =>
      Annotations.fromStack(stack).findWarning('*', Match.stringLikeRegexp('^queue: Other/Rule'));
    expect([found(one).length, found(other).length]).toEqual([0, 1]);
  });

  it('is right as it is', () => {
    expect(warnings()).toEqual([]);
  });
});

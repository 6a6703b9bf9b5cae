import { describe, expect, it } from '@jest/globals';
import { Aws, Stack } from 'aws-cdk-lib';
import { Annotations, Match } from 'aws-cdk-lib/assertions';
import { Code, Function as LambdaFunction, RecursiveLoop, Runtime } from 'aws-cdk-lib/aws-lambda';
import { type IQueue, Queue } from 'aws-cdk-lib/aws-sqs';
import { MessageEndpoint, type MessageEndpointProps } from 'sagabox/constructs';
import {
  expectViolation,
  inlineEndpoint,
  ordersEndpoint,
  regionalStack,
  unbundledStack,
  violationsOf,
} from '../support.ts';
import { entry } from './bundled-endpoint.ts';

const imported = (stack: Stack, id: string, name: string) =>
  Queue.fromQueueArn(stack, id, `arn:aws:sqs:eu-west-1:111111111111:${name}`);

function existing(stack: Stack, id: string): IQueue {
  const deadLetterQueue = { queue: new Queue(stack, `${id}Dead`), maxReceiveCount: 5 };
  return new Queue(stack, id, { deadLetterQueue });
}

const both = 'queue: Test/Billing receives from it too';

describe('an existing queue', () => {
  it.each([
    ['eu-west-1', ''],
    [
      'us-east-1',
      "queue: 'Regional/Given' is in region us-east-1, and 'Regional/Orders' in region eu-west-1",
    ],
  ])('is of the region of its function, eu-west-1: %s', (region, violation) => {
    const stack = regionalStack('eu-west-1');
    const queue = Queue.fromQueueArn(stack, 'Given', `arn:aws:sqs:${region}:111111111111:given`);
    inlineEndpoint(stack, 'Orders', { queue });
    expectViolation(stack, violation);
    expect(violationsOf(stack)).not.toContain('sendsTo');
  });

  it.each<[string, (stack: Stack) => [IQueue, IQueue], string]>([
    [
      'the same',
      (stack) => {
        const queue = existing(stack, 'Queue');
        return [queue, queue];
      },
      both,
    ],
    ['the same, imported twice', (stack) => [imported(stack, 'A', 'q'), imported(stack, 'B', 'q')], both],
    ['another', (stack) => [existing(stack, 'A'), existing(stack, 'B')], ''],
    ['another, imported', (stack) => [imported(stack, 'A', 'q'), imported(stack, 'B', 'r')], ''],
  ])('serves one endpoint: %s', (_, queuesOf, violation) => {
    const stack = unbundledStack();
    const [one, other] = queuesOf(stack);
    inlineEndpoint(stack, 'Orders', { queue: one });
    inlineEndpoint(stack, 'Billing', { queue: other });
    expectViolation(stack, violation);
  });
});

it.each([
  ['eu-west-1', 'queue: There/Orders receives from it too'],
  ['us-east-1', ''],
])('a queue that stacks of eu-west-1 and %s import of their own place: "%s"', (region, violation) => {
  const main = unbundledStack();
  const arn = `arn:aws:sqs:${Aws.REGION}:${Aws.ACCOUNT_ID}:orders`;
  for (const [id, of] of Object.entries({ Here: 'eu-west-1', There: region })) {
    const stack = new Stack(main.node.root, id, { env: { account: '111111111111', region: of } });
    inlineEndpoint(stack, 'Orders', { queue: Queue.fromQueueArn(stack, 'Given', arn) });
  }
  expectViolation(main, violation);
});

describe('the maxConcurrency of an endpoint', () => {
  const problem = 'maxConcurrency: 5 is more than the reservedConcurrentExecutions of the function, 4';

  it.each([
    [4, problem],
    [5, ''],
  ])('is at most what a function of the app reserves: %d', (reservedConcurrentExecutions, violation) => {
    const { stack } = ordersEndpoint((scope) => ({
      maxConcurrency: 5,
      function: new LambdaFunction(scope, 'Reserved', {
        runtime: Runtime.NODEJS_24_X,
        handler: 'index.handler',
        code: Code.fromInline('export const handler = async () => {};'),
        recursiveLoop: RecursiveLoop.ALLOW,
        reservedConcurrentExecutions,
      }),
    }));
    expectViolation(stack, violation);
  });

  it.each([
    [4, problem],
    [5, ''],
  ])('is at most what functionProps reserve: %d', (reservedConcurrentExecutions, violation) => {
    const stack = unbundledStack();
    const functionProps = { reservedConcurrentExecutions };
    new MessageEndpoint(stack, 'Orders', { entry, maxConcurrency: 5, functionProps });
    expectViolation(stack, violation);
  });

  it.each<[Partial<MessageEndpointProps>, number, boolean]>([
    [{}, 20, true],
    [{ fifo: true }, 1, true],
    [{ maxConcurrency: 2 }, 20, false],
    [{ enabled: true }, 1, true],
    [{ enabled: false }, 1, false],
    [{ enabled: false, maxConcurrency: 5 }, 1, false],
    [{}, 0, false],
    [{ maxConcurrency: 5 }, 0, false],
  ])('is warned of when the function reserves concurrency: %j, %d', (props, reserved, isWarned) => {
    const stack = unbundledStack();
    const functionProps = { reservedConcurrentExecutions: reserved };
    new MessageEndpoint(stack, 'Orders', { entry, functionProps, ...props } as MessageEndpointProps);
    const found = Annotations.fromStack(stack).findWarning('*', Match.stringLikeRegexp('^maxConcurrency: '));
    const warning = expect.stringMatching(
      `^maxConcurrency: there is none, .* of ${reserved}, .* \\[ack: sagabox:reservedConcurrency\\]$`,
    );
    expect(found.map(({ entry: { data } }) => data)).toEqual(isWarned ? [warning] : []);
  });

  it('counts alone when nothing is reserved', () => {
    expect.hasAssertions();
    expectViolation(ordersEndpoint({ maxConcurrency: 1000 }).stack, '');
  });
});

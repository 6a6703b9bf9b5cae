import { describe, expect, it } from '@jest/globals';
import { Duration, type Stack } from 'aws-cdk-lib';
import { Annotations, Match } from 'aws-cdk-lib/assertions';
import {
  type CfnFunction,
  Code,
  type FunctionOptions,
  Function as LambdaFunction,
  Runtime,
} from 'aws-cdk-lib/aws-lambda';
import { OutboxTable, SendOnlyEndpoint } from 'sagabox/constructs';
import { inlineEndpoint, unbundledStack } from '../support.ts';

function ownFunction(stack: Stack, options: FunctionOptions): LambdaFunction {
  const code = Code.fromInline('export const handler = () => {};');
  return new LambdaFunction(stack, 'Own', {
    runtime: Runtime.NODEJS_24_X,
    handler: 'index.handler',
    code,
    ...options,
  });
}

function warningsOf(stack: Stack, id: string, pattern: string): unknown[] {
  const found = Annotations.fromStack(stack).findWarning(`/Test/${id}`, Match.stringLikeRegexp(pattern));
  return found.map(({ entry }) => entry.data);
}

describe('a function that leaves its time and memory to Lambda', () => {
  it.each<[string, FunctionOptions, string | undefined]>([
    ['both', {}, "'Test/Own' has no timeout and no memorySize, so that Lambda gives it 3 s and 128 MB"],
    ['its time', { memorySize: 256 }, "'Test/Own' has no timeout, so that Lambda gives it 3 s, in"],
    [
      'its memory',
      { timeout: Duration.seconds(5) },
      "'Test/Own' has no memorySize, so that Lambda gives it 128 MB",
    ],
    ['neither', { timeout: Duration.seconds(3), memorySize: 128 }, undefined],
  ])('is warned of: %s', (_what, options, warning) => {
    const stack = unbundledStack();
    inlineEndpoint(stack, 'Orders', { function: ownFunction(stack, options) });
    const expected = warning === undefined ? [] : [expect.stringContaining(`function: ${warning}`)];
    expect(warningsOf(stack, 'Orders', 'so that Lambda gives it')).toEqual(expected);
  });

  it('is warned of where it runs sessions, too', () => {
    const stack = unbundledStack();
    const outboxTable = new OutboxTable(stack, 'Outbox');
    const functions = [ownFunction(stack, {})];
    new SendOnlyEndpoint(stack, 'Shop', { outboxTable, functions, relay: 'elsewhere' });
    expect(warningsOf(stack, 'Shop', 'so that Lambda gives it')).toEqual([
      expect.stringContaining("functions: 'Test/Own' has no timeout and no memorySize"),
    ]);
  });
});

it.each([
  [false, 1],
  [true, 0],
])(
  'a function whose loops are ended is warned of, unless an override says: %s, %d',
  (isOverridden, warnings) => {
    const stack = unbundledStack();
    const own = ownFunction(stack, { timeout: Duration.seconds(5), memorySize: 512 });
    inlineEndpoint(stack, 'Orders', { function: own });
    if (isOverridden) (own.node.defaultChild as CfnFunction).addPropertyOverride('RecursiveLoop', 'Allow');
    expect(warningsOf(stack, 'Orders', 'recursive loop detection')).toHaveLength(warnings);
  },
);

it.each([
  [1, 1],
  [2, 0],
])('of %d receives of a message, %d warnings are given', (maxReceiveCount, warnings) => {
  const stack = unbundledStack();
  inlineEndpoint(stack, 'Orders', { maxReceiveCount });
  expect(warningsOf(stack, 'Orders', '^maxReceiveCount: it is 1')).toHaveLength(warnings);
});

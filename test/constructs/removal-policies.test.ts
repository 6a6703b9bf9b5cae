import { describe, expect, it } from '@jest/globals';
import { RemovalPolicy, type Stack } from 'aws-cdk-lib';
import { ClaimCheckBucket, MessageScheduler, OutboxTable } from 'sagabox/constructs';
import { expectViolation, unbundledStack } from './support.ts';

type Make = (stack: Stack, removalPolicy: RemovalPolicy) => unknown;

describe.each<[string, Make]>([
  ['a table', (stack, removalPolicy) => new OutboxTable(stack, 'It', { removalPolicy })],
  ['a bucket', (stack, removalPolicy) => new ClaimCheckBucket(stack, 'It', { removalPolicy })],
  ['a scheduler', (stack, removalPolicy) => new MessageScheduler(stack, 'It', { removalPolicy })],
])('the removal policy of %s', (_, make) => {
  it.each([RemovalPolicy.DESTROY, RemovalPolicy.RETAIN, RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE])(
    'may be %s',
    (removalPolicy) => {
      const stack = unbundledStack();
      make(stack, removalPolicy);
      expect.hasAssertions();
      expectViolation(stack, '');
    },
  );

  it.each([RemovalPolicy.SNAPSHOT, 'Retain' as RemovalPolicy])('is no %s', (removalPolicy) => {
    const stack = unbundledStack();
    make(stack, removalPolicy);
    expect.hasAssertions();
    expectViolation(stack, `[Test/It] removalPolicy: '${removalPolicy}' is none that`);
  });
});

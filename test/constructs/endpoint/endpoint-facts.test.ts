import { describe, expect, it } from '@jest/globals';
import { Duration, type Stack } from 'aws-cdk-lib';
import { EventBus } from 'aws-cdk-lib/aws-events';
import { Alias } from 'aws-cdk-lib/aws-kms';
import { EventSourceMapping } from 'aws-cdk-lib/aws-lambda';
import { SqsEventSource } from 'aws-cdk-lib/aws-lambda-event-sources';
import { Topic } from 'aws-cdk-lib/aws-sns';
import { Queue, QueueEncryption } from 'aws-cdk-lib/aws-sqs';
import type { MessageEndpoint } from 'sagabox/constructs';
import { inlineEndpoint, inlineFunction, ordersEndpoint, unbundledStack, violationsOf } from '../support.ts';

describe('another event source of the function of an endpoint', () => {
  const sourceOf = (reportBatchItemFailures?: boolean) => {
    const stack = unbundledStack();
    const own = inlineFunction(stack, 'Own');
    inlineEndpoint(stack, 'Orders', { function: own });
    inlineEndpoint(stack, 'Billing');
    const other = new Queue(stack, 'Other');
    return {
      stack,
      own,
      other,
      settings: reportBatchItemFailures === undefined ? {} : { reportBatchItemFailures },
    };
  };

  it.each([undefined, false])('is refused if Lambda deletes what failed: reports %p', (reports) => {
    const { stack, own, other, settings } = sourceOf(reports);
    own.addEventSource(new SqsEventSource(other, settings));
    expect(violationsOf(stack)).toMatch(
      /^.*\n {2}\[Test\/Orders\] function: Test\/Own\/SqsEventSource:\S+ invokes it without ReportBatchItemFailures, [^\n]*$/,
    );
  });

  it('is refused as a mapping of its own too', () => {
    const { stack, own, other } = sourceOf();
    new EventSourceMapping(stack, 'Mapping', { target: own, eventSourceArn: other.queueArn });
    expect(violationsOf(stack)).toContain('function: Test/Mapping/Resource invokes it');
  });

  it('is taken if it reports them', () => {
    const { stack, own, other, settings } = sourceOf(true);
    own.addEventSource(new SqsEventSource(other, settings));
    expect(violationsOf(stack)).toBe('');
  });

  it('of an alias is seen', () => {
    const stack = unbundledStack();
    const own = inlineFunction(stack, 'Own');
    const alias = own.addAlias('live');
    inlineEndpoint(stack, 'Orders', { function: alias });
    alias.addEventSource(new SqsEventSource(new Queue(stack, 'Other')));
    expect(violationsOf(stack)).toContain('invokes it without ReportBatchItemFailures');
  });
});

describe('a queue with a key of AWS', () => {
  const encrypted = (encryption: QueueEncryption, deadLetters?: QueueEncryption) =>
    ordersEndpoint((stack) => ({
      queue: new Queue(stack, 'Given', {
        encryption,
        visibilityTimeout: Duration.minutes(3),
        deadLetterQueue: {
          queue: new Queue(stack, 'Dead', deadLetters ? { encryption: deadLetters } : {}),
          maxReceiveCount: 5,
        },
      }),
    }));
  const subscriptions: [string, (orders: MessageEndpoint, stack: Stack) => void][] = [
    ['a topic', (orders, stack) => void orders.subscribesTo(new Topic(stack, 'Topic'))],
    [
      'an event bus',
      (orders, stack) =>
        void orders.subscribesTo(new EventBus(stack, 'Bus'), { eventPattern: { detailType: ['Shipped'] } }),
    ],
  ];

  it.each(subscriptions)('is refused for %s, whose messages it could not take', (_source, subscribe) => {
    const { stack, orders } = encrypted(QueueEncryption.KMS_MANAGED);
    subscribe(orders, stack);
    expect(violationsOf(stack)).toMatch(
      /^.*\n {2}\[Test\/Orders\] subscribesTo: Test\/Given has QueueEncryption\.KMS_MANAGED, [^\n]*$/,
    );
  });

  it.each(subscriptions)('is refused for what %s could not deliver', (_source, subscribe) => {
    const { stack, orders } = encrypted(QueueEncryption.SQS_MANAGED, QueueEncryption.KMS_MANAGED);
    subscribe(orders, stack);
    expect(violationsOf(stack)).toContain('subscribesTo: Test/Dead has QueueEncryption.KMS_MANAGED');
  });

  it.each(subscriptions)('is refused for no key of yours, and %s', (_source, subscribe) => {
    const { stack, orders } = encrypted(QueueEncryption.KMS, QueueEncryption.KMS);
    subscribe(orders, stack);
    expect(violationsOf(stack)).toBe('');
  });

  it.each(subscriptions)('is refused by its alias, and %s', (_source, subscribe) => {
    const { stack, orders } = ordersEndpoint((scope) => ({
      queue: new Queue(scope, 'Given', {
        encryptionMasterKey: Alias.fromAliasName(scope, 'Sqs', 'alias/aws/sqs'),
        visibilityTimeout: Duration.minutes(3),
        deadLetterQueue: { queue: new Queue(scope, 'Dead'), maxReceiveCount: 5 },
      }),
    }));
    subscribe(orders, stack);
    expect(violationsOf(stack)).toContain('subscribesTo: Test/Given has QueueEncryption.KMS_MANAGED');
  });

  it('is taken without subscriptions', () => {
    expect(violationsOf(encrypted(QueueEncryption.KMS_MANAGED).stack)).toBe('');
  });
});

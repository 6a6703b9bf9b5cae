import { describe, expect, it } from '@jest/globals';
import { CfnParameter, Duration, type Stack } from 'aws-cdk-lib';
import { type IQueue, Queue } from 'aws-cdk-lib/aws-sqs';
import { type MessageEndpointProps, OutboxTable } from 'sagabox/constructs';
import { expectViolation, ordersEndpoint, variablesOf } from '../support.ts';

type Props = Partial<MessageEndpointProps>;

const { days, hours } = Duration;
const keeping = (stack: Stack, id: string, retentionPeriod?: Duration) =>
  new Queue(stack, id, retentionPeriod === undefined ? {} : { retentionPeriod });
const imported = (stack: Stack, id: string): IQueue =>
  Queue.fromQueueArn(stack, id, `arn:aws:sqs:eu-west-1:111111111111:${id}`);

/** A queue that keeps messages for 4 days, and its dead letters as long as given. */
const given = (stack: Stack, deadLetters: Duration | undefined, retentionPeriod = days(4)): Props => ({
  queue: new Queue(stack, 'Given', {
    retentionPeriod,
    visibilityTimeout: Duration.minutes(3),
    deadLetterQueue: { queue: keeping(stack, 'Dead', deadLetters), maxReceiveCount: 5 },
  }),
});

function deduplicationDays(propsOf: (stack: Stack) => Props): number {
  const { stack } = ordersEndpoint((scope) => ({
    outboxTable: new OutboxTable(scope, 'Outbox'),
    ...propsOf(scope),
  }));
  expectViolation(stack, '');
  return Number(variablesOf(stack, 'Own').SAGABOX_DEDUPLICATION_PERIOD_SECONDS) / days(1).toSeconds();
}

describe('the deduplication period', () => {
  it.each<[string, number, (stack: Stack) => Props]>([
    ['queues of its own', 15, () => ({})],
    ['an own error queue of 14 days', 22, (stack) => ({ errorQueue: keeping(stack, 'Errors', days(14)) })],
    ['an own error queue of 4 days, by default', 15, (stack) => ({ errorQueue: keeping(stack, 'Errors') })],
    ['a dead letter queue of 14 days', 22, (stack) => given(stack, days(14))],
    [
      'a dead letter queue of 4 days, by default, and no error queue',
      12,
      (stack) => ({ ...given(stack, undefined), errorQueue: false }),
    ],
    [
      'a dead letter queue of 14 days that is told of an imported queue',
      22,
      (stack) => ({ queue: imported(stack, 'given'), deadLetterQueue: keeping(stack, 'Dead', days(14)) }),
    ],
    [
      'an imported error queue whose retention is stated',
      18,
      (stack) => ({ errorQueue: imported(stack, 'errors'), deadLetterRetention: days(10) }),
    ],
    [
      'an error queue whose retention is known only at deployment',
      15,
      (stack) => {
        const { valueAsNumber } = new CfnParameter(stack, 'Days', { type: 'Number' });
        return { errorQueue: keeping(stack, 'Errors', Duration.seconds(valueAsNumber)) };
      },
    ],
  ])('follows from %s: %i days', (_queues, expected, propsOf) => {
    expect(deduplicationDays(propsOf)).toBe(expected);
  });

  it('that is set is at least as long as an own error queue needs', () => {
    const { stack } = ordersEndpoint((scope) => ({
      outboxTable: new OutboxTable(scope, 'Outbox'),
      errorQueue: keeping(scope, 'Errors', days(14)),
      deduplicationPeriod: days(21),
    }));
    expectViolation(stack, `Use at least ${days(22).toSeconds()} s`);
  });
});

describe('what keeps messages that could not be handled', () => {
  const dayInSeconds = days(1).toSeconds();

  it.each<[string, (stack: Stack) => Props, string]>([
    [
      'an error queue as long as the queue',
      (stack) => ({ errorQueue: keeping(stack, 'Errors', days(4)) }),
      '',
    ],
    [
      'a shorter error queue',
      (stack) => ({ errorQueue: keeping(stack, 'Errors', hours(95)) }),
      `deadLetterRetention: ${95 * 3600} s is less than the queue's retention of ${4 * dayInSeconds} s`,
    ],
    ['dead letters as long as the queue', (stack) => given(stack, days(4)), ''],
    [
      'shorter dead letters',
      (stack) => given(stack, hours(1)),
      `deadLetterRetention: 3600 s is less than the queue's retention of ${4 * dayInSeconds} s`,
    ],
    [
      'another retention than is stated',
      (stack) => ({ ...given(stack, undefined, days(14)), deadLetterRetention: days(14) }),
      `deadLetterRetention: 'Test/Dead' keeps messages for ${4 * dayInSeconds} s. Leave it out`,
    ],
  ])('is checked: %s', (_which, propsOf, violation) => {
    const { stack } = ordersEndpoint(propsOf);
    expectViolation(stack, violation && `[Test/Orders] ${violation}`);
  });
});

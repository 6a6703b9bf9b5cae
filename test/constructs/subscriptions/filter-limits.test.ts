import { describe, it } from '@jest/globals';
import { EventBus } from 'aws-cdk-lib/aws-events';
import { SubscriptionFilter, Topic } from 'aws-cdk-lib/aws-sns';
import { expectViolation, ordersEndpoint } from '../support.ts';

const values = (count: number, length = 3) =>
  Array.from({ length: count }, (_, index) => String(index).padStart(length, '0'));
const filterOf = (allowlist: string[]) => SubscriptionFilter.stringFilter({ allowlist });
const filters = (count: number) =>
  Object.fromEntries(values(count).map((name) => [name, filterOf(['any'])] as const));
const bytesOf = (length: number) => ({ any: filterOf(values(1, length)) });

describe('the filter of a subscription', () => {
  it.each<[string, Record<string, SubscriptionFilter>, string]>([
    ['5 attributes', filters(5), ''],
    ['6 attributes', filters(6), "subscribesTo 'Test/Events': the filter has 6 attributes, and SNS takes 5."],
    ['150 combinations', { a: filterOf(values(15)), b: filterOf(values(10)) }, ''],
    [
      '151 combinations',
      { a: filterOf(values(151)) },
      'have 151 combinations, and SNS takes 150. Name fewer',
    ],
    // {"any":[""]} are 12 bytes.
    ['262,144 bytes', bytesOf(262_132), ''],
    ['262,145 bytes', bytesOf(262_133), 'the filter has 262145 bytes, and SNS takes 262144.'],
  ])('may have what SNS takes: %s', (_what, filterPolicy, violation) => {
    const { stack, orders } = ordersEndpoint();
    orders.subscribesTo(new Topic(stack, 'Events'), { filterPolicy });
    expectViolation(stack, violation);
  });

  it.each([
    [150, 'no problem'],
    [151, 'have 151 combinations'],
  ])('by %i message types: %s', (count, report) => {
    const violation = report === 'no problem' ? '' : report;
    const { stack, orders } = ordersEndpoint();
    orders.subscribesTo(new Topic(stack, 'Events'), { messageTypes: values(count) });
    expectViolation(stack, violation);
  });
});

describe('the pattern of a subscription', () => {
  // {"detail-type":[""]} are 20 characters.
  it.each([
    [2028, ''],
    [2029, "subscribesTo 'Test/Company': the event pattern has 2049 characters, and EventBridge takes 2048."],
  ])('may have what EventBridge takes: a type of %i characters gives %j', (length, violation) => {
    const { stack, orders } = ordersEndpoint();
    orders.subscribesTo(new EventBus(stack, 'Company'), { messageTypes: ['t'.repeat(length)] });
    expectViolation(stack, violation);
  });
});

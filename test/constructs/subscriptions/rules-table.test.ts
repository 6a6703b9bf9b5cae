import { describe, expect, it } from '@jest/globals';
import { EventBus } from 'aws-cdk-lib/aws-events';
import { SubscriptionFilter, Topic } from 'aws-cdk-lib/aws-sns';
import type { MessageEndpoint, MessageEndpointProps } from 'sagabox/constructs';
import { ordersEndpoint, violationsOf } from '../support.ts';

type Subscribe = (orders: MessageEndpoint) => void;

const toTopic =
  (filterPolicy: Record<string, SubscriptionFilter>): Subscribe =>
  (orders) =>
    void orders.subscribesTo(new Topic(orders, 'Events'), { filterPolicy });
const attributes = (count: number) =>
  Object.fromEntries(
    Array.from({ length: count }, (_, index) => [`attribute${index}`, SubscriptionFilter.existsFilter()]),
  );
const values = (count: number) => ({
  type: SubscriptionFilter.stringFilter({
    allowlist: Array.from({ length: count }, (_, index) => `Type${index}`),
  }),
});
/** `{"type":["…"]}` of so many bytes. */
const filterBytes = (bytes: number) => ({
  type: SubscriptionFilter.stringFilter({ allowlist: ['x'.repeat(bytes - '{"type":[""]}'.length)] }),
});

/** A pattern of this many characters: one message type fills it. */
const toBus =
  (characters: number): Subscribe =>
  (orders) => {
    const around = '{"detail-type":[""]}'.length;
    const messageTypes = ['x'.repeat(characters - around)];
    void orders.subscribesTo(EventBus.fromEventBusName(orders, 'Bus', 'events'), { messageTypes });
  };

const withPatterns = (...sourcesByNamePattern: string[]): Partial<MessageEndpointProps> => ({
  sourcesByNamePattern,
});

/** By rule: how it is kept at its boundary, and broken by the least that can be. */
const cases: Record<string, { sound: Subscribe; wrong: Subscribe; report: string }> = {
  'attributes of a filter': {
    sound: toTopic(attributes(5)),
    wrong: toTopic(attributes(6)),
    report: "subscribesTo 'Test/Orders/Events': the filter has 6 attributes",
  },
  'combinations of a filter': {
    sound: toTopic(values(150)),
    wrong: toTopic(values(151)),
    report: "subscribesTo 'Test/Orders/Events': the values of the filter have 151 combinations",
  },
  'bytes of a filter': {
    sound: toTopic(filterBytes(262_144)),
    wrong: toTopic(filterBytes(262_145)),
    report: "subscribesTo 'Test/Orders/Events': the filter has 262145 bytes",
  },
  'characters of an event pattern': {
    sound: toBus(2_048),
    wrong: toBus(2_049),
    report: "subscribesTo 'Test/Orders/Bus': the event pattern has 2049 characters",
  },
};

function reportsOf(subscribe: Subscribe, props: Partial<MessageEndpointProps> = {}): string[] {
  const { stack, orders } = ordersEndpoint(props);
  subscribe(orders);
  return violationsOf(stack)
    .split('\n')
    .filter((line) => line.includes('[Test/'))
    .map((line) => line.trim().replace('[Test/Orders] ', ''));
}

describe('the rules of subscriptions', () => {
  it.each(Object.entries(cases))(
    '%s flips with its value, and no other does',
    (_rule, { sound, wrong, report }) => {
      expect(reportsOf(sound)).toEqual([]);
      expect(reportsOf(wrong)).toEqual([expect.stringMatching(/\. .+\.$/)]);
      expect(reportsOf(wrong)).toEqual([expect.stringContaining(report)]);
    },
  );

  it('patterns of sources name a service and a part of a name', () => {
    const none: Subscribe = () => {};
    expect(reportsOf(none, withPatterns('arn:aws:sns:eu-west-1:111111111111:orders-*'))).toEqual([]);
    expect(reportsOf(none, withPatterns('*'))).toEqual([
      expect.stringMatching(/^sourcesByNamePattern: .+\./),
    ]);
  });
});

import { expect, it } from '@jest/globals';
import { Duration } from 'aws-cdk-lib';
import { MessageEndpoint, OutboxRelay, type OutboxRelayProps, OutboxTable } from 'sagabox/constructs';
import { type RelayFacts, relayRules } from '../../../lib/constructs/relay/outbox-relay-rules.ts';
import { describeRules, type RuleCases } from '../describe-rules.ts';
import { entry } from '../endpoint/bundled-endpoint.ts';
import { unbundledStack, violationsOf } from '../support.ts';

const { seconds, minutes, millis } = Duration;

const outboxTable = { path: 'Test/Outbox', isShared: true };
const orders = {
  path: 'Test/Orders',
  elsewhere: undefined,
  functionTimeout: seconds(900),
  outboxTable,
};
const outbox = { path: 'Test/Outbox', hasStream: true, streamElsewhere: undefined };
const sagas = { ...outbox, path: 'Test/Sagas' };
const billing = { ...orders, path: 'Test/Billing' };

/** All of them at their boundaries. */
const facts: RelayFacts = {
  every: minutes(15),
  olderThan: seconds(900),
  strategy: 'stream',
  maxReadUnitsPerSecond: Number.MIN_VALUE,
  functionTimeout: seconds(900),
  endpoints: [orders, billing],
  tables: [outbox, sagas],
};

/** By rule: what is sound at another boundary, and what is wrong by the least that can be. */
const cases: Record<string, RuleCases<RelayFacts>> = {
  thereAreEndpoints: { sound: [{ endpoints: [orders] }], wrong: [{ endpoints: [] }] },
  endpointsAreGivenOnce: { wrong: [{ endpoints: [orders, orders] }] },
  endpointsAreWhereTheRelayIs: {
    wrong: [{ endpoints: [orders, { ...billing, elsewhere: "'There/Billing' is in region us-east-1" }] }],
  },
  endpointsHaveAnOutbox: { wrong: [{ endpoints: [orders, { ...billing, outboxTable: undefined }] }] },
  endpointsShareTheTable: {
    wrong: [{ endpoints: [orders, { ...billing, outboxTable: { path: 'Test/Other', isShared: false } }] }],
  },
  tablesHaveStreams: {
    sound: [{ strategy: 'scan', tables: [outbox, { ...sagas, hasStream: false }] }],
    wrong: [{ tables: [outbox, { ...sagas, hasStream: false }] }],
  },
  streamsAreWhereTheRelayIs: {
    sound: [{ strategy: 'scan', tables: [{ ...outbox, streamElsewhere: 'account 222222222222' }] }],
    wrong: [{ tables: [outbox, { ...sagas, streamElsewhere: 'account 222222222222' }] }],
  },
  runsSeeTheStreamEachDay: {
    sound: [{ every: minutes(720) }, { every: minutes(721), strategy: 'scan' }],
    wrong: [{ every: minutes(721) }],
  },
  olderThanOutlastsTheFunctions: { wrong: [{ olderThan: seconds(899) }] },
  runFitsIntoInterval: {
    sound: [{ functionTimeout: minutes(14), every: minutes(14) }],
    wrong: [{ functionTimeout: seconds(841), every: minutes(14) }],
  },
};

describeRules('the rules of a relay', relayRules, facts, cases);

it.each<[Partial<OutboxRelayProps>, string]>([
  [{ every: seconds(901) }, 'every: 901 s is no rate of EventBridge. Use a whole number of minutes, from 1.'],
  [{ every: minutes(0) }, 'every: 0 s is no rate of EventBridge. Use a whole number of minutes, from 1.'],
  [
    { olderThan: millis(900_001) },
    'olderThan: 900.001 s is out of range. Use a whole number of seconds of at least 1.',
  ],
  [{ maxReadUnitsPerSecond: 0 }, 'maxReadUnitsPerSecond: 0 is out of range. Use a value above 0.'],
  [
    { maxReadUnitsPerSecond: Number.POSITIVE_INFINITY },
    'maxReadUnitsPerSecond: Infinity is out of range. Use a value above 0.',
  ],
  [
    { functionTimeout: seconds(0) },
    'functionTimeout: 0 s is out of range. Use a whole number of seconds from 1 to 900.',
  ],
  [
    { functionTimeout: millis(1_500) },
    'functionTimeout: 1.5 s is out of range. Use a whole number of seconds from 1 to 900.',
  ],
  [
    { functionTimeout: seconds(901), every: minutes(16) },
    'functionTimeout: 901 s is out of range. Use a whole number of seconds from 1 to 900.',
  ],
  [{ memorySizeMb: 127 }, 'memorySizeMb: 127 is out of range. Use a whole number from 128 to 10240.'],
  [{ memorySizeMb: 10_241 }, 'memorySizeMb: 10241 is out of range. Use a whole number from 128 to 10240.'],
  [
    { functionProps: { timeout: seconds(3) } as never },
    'functionProps.timeout: it belongs to the relay. Leave it out.',
  ],
])('%j is reported, and nothing else', (props, report) => {
  const stack = unbundledStack();
  const endpoint = new MessageEndpoint(stack, 'Orders', {
    entry,
    outboxTable: new OutboxTable(stack, 'Outbox'),
  });
  new OutboxRelay(stack, 'Relay', { endpoints: [endpoint], ...props } as OutboxRelayProps);
  expect(
    violationsOf(stack)
      .split('\n')
      .slice(1)
      .map((line) => line.trim()),
  ).toEqual([`[Test/Relay] ${report}`]);
});

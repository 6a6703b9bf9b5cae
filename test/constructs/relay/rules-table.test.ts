import { Duration } from 'aws-cdk-lib';
import { type RelayFacts, relayRules } from '../../../lib/constructs/relay/outbox-relay-rules.ts';
import { describeRules, type RuleCases } from '../describe-rules.ts';

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
  memorySizeMb: 128,
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
  everyIsInWholeMinutes: {
    sound: [{ every: minutes(1), functionTimeout: seconds(60) }],
    wrong: [{ every: seconds(901) }, { every: minutes(0) }],
  },
  olderThanIsInWholeSeconds: {
    sound: [{ olderThan: seconds(901) }],
    wrong: [{ olderThan: millis(900_001) }],
  },
  olderThanOutlastsTheFunctions: { wrong: [{ olderThan: seconds(899) }] },
  readUnitsArePositive: {
    wrong: [{ maxReadUnitsPerSecond: 0 }, { maxReadUnitsPerSecond: Number.POSITIVE_INFINITY }],
  },
  functionTimeoutIsInRange: {
    sound: [{ functionTimeout: seconds(1) }],
    wrong: [
      { functionTimeout: seconds(0) },
      { functionTimeout: millis(1_500) },
      { functionTimeout: seconds(901), every: minutes(16) },
    ],
  },
  memorySizeMbIsInRange: {
    sound: [{ memorySizeMb: 10_240 }],
    wrong: [{ memorySizeMb: 127 }, { memorySizeMb: 10_241 }, { memorySizeMb: 128.5 }],
  },
  runFitsIntoInterval: {
    sound: [{ functionTimeout: minutes(14), every: minutes(14) }],
    wrong: [{ functionTimeout: seconds(841), every: minutes(14) }],
  },
};

describeRules('the rules of a relay', relayRules, facts, cases);

import { expect, it } from '@jest/globals';
import { type PlaceFacts, placeRules } from '../../../lib/constructs/tables/place-rules.ts';
import {
  type MissingTableFacts,
  missingTableRules,
  type TableFacts,
  tableRules,
} from '../../../lib/constructs/tables/table-rules.ts';
import type { TableSchema } from '../../../lib/constructs/tables/table-schema.ts';
import { describeRules, type RuleCases } from '../describe-rules.ts';

const schema: TableSchema = {
  partitionKeyName: 'PK',
  sortKeyName: 'SK',
  timeToLiveAttributeName: 'ExpiresAt',
  hasTwoStringKeys: true,
  hasTimeToLive: true,
  replication: 'none',
};
const facts: TableFacts = {
  setting: 'outboxTable',
  path: 'Test/Outbox',
  schema,
  singleWriterRegion: false,
};
const withSchema = (some: Partial<TableSchema>, more: Partial<TableFacts> = {}): TableFacts => ({
  ...facts,
  ...more,
  schema: { ...schema, ...some },
});

/** By rule: what is sound beside its boundary, and what is wrong. */
const cases: Record<string, RuleCases<TableFacts>> = {
  keysAreTwoStrings: { wrong: [withSchema({ hasTwoStringKeys: false })] },
  itemsExpire: { wrong: [withSchema({ hasTimeToLive: false })] },
  tableTakesTransactions: {
    wrong: [
      withSchema({ replication: 'strong' }),
      withSchema({ replication: 'strong' }, { singleWriterRegion: true }),
    ],
  },
  oneRegionWrites: {
    sound: [withSchema({ replication: 'eventual' }, { singleWriterRegion: true })],
    wrong: [withSchema({ replication: 'eventual' })],
  },
  attributesAreNotStoredOtherwise: {
    sound: [withSchema({ partitionKeyName: 'State' })],
    wrong: [
      withSchema({ partitionKeyName: 'state' }),
      withSchema({ sortKeyName: 'sent' }),
      withSchema({ timeToLiveAttributeName: 'lease' }),
    ],
  },
  attributesHaveNamesOfTheirOwn: {
    sound: [withSchema({ sortKeyName: 'pk' })],
    wrong: [withSchema({ sortKeyName: 'PK' }), withSchema({ timeToLiveAttributeName: 'SK' })],
  },
};

describeRules("the rules of an endpoint's tables", tableRules, facts, cases);

const here = { account: '111111111111', region: 'eu-west-1' };
const there = { ...here, account: '222222222222' };
const placed: PlaceFacts = {
  setting: 'outboxTable',
  path: 'Test/Outbox',
  place: here,
  region: here.region,
  foreignKey: undefined,
  isClosed: false,
  otherAccount: here.account,
};

const placeCases: Record<string, RuleCases<PlaceFacts>> = {
  tableIsInTheRegion: { wrong: [{ place: { ...here, region: 'eu-west-2' } }] },
  keyOfAnotherPlaceIsImported: { wrong: [{ foreignKey: "'There/Key' is in account 222222222222" }] },
  keyLetsOtherAccounts: { wrong: [{ isClosed: true }] },
  tablesAreOfOneAccount: {
    sound: [{ place: there, otherAccount: there.account }, { otherAccount: undefined }],
    wrong: [{ place: there }, { otherAccount: there.account }],
  },
};

describeRules("the rules of where an endpoint's tables are", placeRules, placed, placeCases);

const withTables: MissingTableFacts = {
  locking: 'pessimistic',
  embeddedOutbox: true,
  hasSagas: true,
  hasOutbox: true,
};

const noEmbedded = { embeddedOutbox: false };

it.each<[string, Partial<MissingTableFacts>, Partial<MissingTableFacts>]>([
  [
    'pessimisticLockingIsOfSagas',
    { locking: 'optimistic', ...noEmbedded, hasSagas: false },
    { ...noEmbedded, hasSagas: false },
  ],
  [
    'embeddedOutboxIsOfSagas',
    { locking: undefined, ...noEmbedded, hasSagas: false },
    { locking: undefined, hasSagas: false },
  ],
  ['embeddedOutboxNeedsRecords', { ...noEmbedded, hasOutbox: false }, { hasOutbox: false }],
])('%s flips with the table, and no other rule of settings does', (name, sound, wrong) => {
  const missing = (some: Partial<MissingTableFacts>) =>
    missingTableRules
      .filter((rule) => rule({ ...withTables, ...some }) !== undefined)
      .map((rule) => rule.name);
  expect([missing({}), missing(sound), missing(wrong)]).toEqual([[], [], [name]]);
  expect(missingTableRules).toHaveLength(3);
});

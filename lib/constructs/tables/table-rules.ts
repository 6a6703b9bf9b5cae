import type { Construct } from 'constructs';
import { storedAttributes } from '../../dynamodb/stored-attributes.ts';
import type { LockingMode } from '../../saga/definition/locking.ts';
import type { AnyTable } from '../construct-types.ts';
import { type LeadingKeys, leadingKeysViolations } from './leading-keys.ts';
import { placeViolations } from './place-rules.ts';
import { schemaOf, type TableSchema } from './table-schema.ts';

interface EndpointTables extends Construct {
  readonly endpointName: string;
  /** Undefined also for an endpoint that has no sagas by its kind. */
  readonly sagaTable?: AnyTable | undefined;
  readonly outboxTable: AnyTable | undefined;
  readonly locking?: LockingMode;
  readonly embeddedOutbox?: boolean;
}

/** The props of an endpoint that are about nothing but its tables. */
interface TableOptions {
  readonly leadingKeys?: LeadingKeys;
  readonly singleWriterRegion?: boolean;
}

type TableSetting = 'sagaTable' | 'outboxTable';

/** What the rules look at. */
export interface TableFacts {
  readonly setting: TableSetting;
  readonly path: string;
  readonly schema: TableSchema;
  readonly singleWriterRegion: boolean;
}

/** @returns cause and remedy when the rule is violated */
type Rule = (facts: TableFacts) => string | undefined;

export const tableRules: readonly Rule[] = [
  function keysAreTwoStrings({ setting, path, schema }) {
    if (schema.hasTwoStringKeys) return undefined;
    return (
      `${setting}: '${path}' lacks a partition key and a sort key that are both strings. ` +
      'Use a SagaTable, an OutboxTable or a MessagingTable, or change the keys.'
    );
  },

  /** Records, the lock on a saga that never came to be, and what remembers the messages of one that has ended. */
  function itemsExpire({ setting, path, schema }) {
    if (schema.hasTimeToLive) return undefined;
    return (
      `${setting}: '${path}' has no time to live, so that what is to expire would be kept and paid for forever. ` +
      'Give the table a timeToLiveAttribute.'
    );
  },

  /** Source: "Global tables: multi-Region strong consistency" (no transactions, no time to live). */
  function tableTakesTransactions({ setting, path, schema }) {
    if (schema.replication !== 'strong') return undefined;
    return (
      `${setting}: '${path}' is a global table with strong consistency, which has neither transactions nor a time to ` +
      'live. Use a table of one region.'
    );
  },

  function oneRegionWrites({ setting, path, schema, singleWriterRegion }) {
    if (schema.replication !== 'eventual' || singleWriterRegion) return undefined;
    return (
      `${setting}: '${path}' is a global table, and when two regions write an item the last one wins, so that neither ` +
      'deduplication nor versions hold. Use a table of one region, or set singleWriterRegion if one region alone writes.'
    );
  },

  function attributesAreNotStoredOtherwise({ setting, path, schema }) {
    const taken = attributesOf(schema).filter((name) => storedAttributes.has(name));
    if (taken.length === 0) return undefined;
    return (
      `${setting}: '${path}' has ${quoted(taken)} for a key or the time to live, in which sagabox stores something else. ` +
      'Use a table whose key and time to live attributes have names of their own.'
    );
  },

  function attributesHaveNamesOfTheirOwn({ setting, path, schema }) {
    const names = attributesOf(schema);
    const repeated = new Set(names.filter((name, index) => names.indexOf(name) < index));
    if (repeated.size === 0) return undefined;
    return (
      `${setting}: '${path}' uses ${quoted([...repeated])} for two of its keys and its time to live. ` +
      'Use a table whose key and time to live attributes have names of their own.'
    );
  },
];

/** What the rules of settings look at that are for an endpoint with a table. */
export interface MissingTableFacts {
  readonly locking: LockingMode | undefined;
  readonly embeddedOutbox: boolean;
  readonly hasSagas: boolean;
  readonly hasOutbox: boolean;
}

export const missingTableRules: readonly ((facts: MissingTableFacts) => string | undefined)[] = [
  function pessimisticLockingIsOfSagas({ locking, hasSagas }) {
    if (locking !== 'pessimistic' || hasSagas) return undefined;
    return "locking: it is 'pessimistic', and there is no sagaTable whose items could be locked. Give a sagaTable, or leave it out.";
  },

  function embeddedOutboxIsOfSagas({ embeddedOutbox, hasSagas }) {
    if (!embeddedOutbox || hasSagas) return undefined;
    return 'embeddedOutbox: it is true, and there is no sagaTable with sagas to have one. Give a sagaTable, or leave it out.';
  },

  /** Of sagas whose item is full, and of operations that do not fit into it. */
  function embeddedOutboxNeedsRecords({ embeddedOutbox, hasOutbox }) {
    if (!embeddedOutbox || hasOutbox) return undefined;
    return (
      'embeddedOutbox: it is true, and there is no outboxTable for the records of sagas whose item is full. ' +
      'Give an outboxTable, which can be the sagaTable, or leave it out.'
    );
  },
];

/** Everything that is wrong with the tables of an endpoint, each with its cause and its remedy. */
export function tableViolations(endpoint: EndpointTables, options: TableOptions): string[] {
  const { endpointName, sagaTable, outboxTable, locking, embeddedOutbox = false } = endpoint;
  const { leadingKeys, singleWriterRegion = false } = options;
  const found = factsOf(endpoint, singleWriterRegion).flatMap((facts) =>
    tableRules.map((rule) => rule(facts)),
  );
  found.push(...placeViolations(endpoint, { sagaTable, outboxTable }));
  found.push(...leadingKeysViolations({ endpointName, leadingKeys, hasSagas: sagaTable !== undefined }));
  const facts = {
    locking,
    embeddedOutbox,
    hasSagas: sagaTable !== undefined,
    hasOutbox: outboxTable !== undefined,
  };
  found.push(...missingTableRules.map((rule) => rule(facts)));
  return found.filter((violation) => violation !== undefined);
}

/** A table of whose schema nothing is known is taken to be right; a shared one is judged once. */
function factsOf(endpoint: EndpointTables, singleWriterRegion: boolean): TableFacts[] {
  const { sagaTable, outboxTable } = endpoint;
  const found: TableFacts[] = [];
  const add = (setting: TableSetting, table: AnyTable | undefined) => {
    const schema = table && schemaOf(table);
    if (schema) found.push({ setting, path: table.node.path, schema, singleWriterRegion });
  };
  if (sagaTable !== outboxTable) add('sagaTable', sagaTable);
  add('outboxTable', outboxTable);
  return found;
}

function attributesOf({ partitionKeyName, sortKeyName, timeToLiveAttributeName }: TableSchema): string[] {
  return [partitionKeyName, sortKeyName, timeToLiveAttributeName];
}

function quoted(names: readonly string[]): string {
  return names.map((name) => `'${name}'`).join(', ');
}

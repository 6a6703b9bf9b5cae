import { describe, expect, it } from '@jest/globals';
import type { Stack } from 'aws-cdk-lib';
import { AttributeType, Table } from 'aws-cdk-lib/aws-dynamodb';
import { type MessageEndpointProps, OutboxTable, SagaTable } from 'sagabox/constructs';
import type { AnyTable } from '../../../lib/constructs/construct-types.ts';
import { storedAttributes } from '../../../lib/dynamodb/stored-attributes.ts';
import { expectViolation, ordersEndpoint, violationsOf } from '../support.ts';
import { cfnTable, ownTables } from './own-tables.ts';

const text = (name: string) => ({ name, type: AttributeType.STRING });

function violations(setting: 'sagaTable' | 'outboxTable', make: (stack: Stack) => AnyTable): string {
  return violationsOf(ordersEndpoint((scope) => ({ [setting]: make(scope) })).stack);
}

/** Each with what is just allowed, and what is just not. */
const boundaries: [string, (stack: Stack) => AnyTable, (stack: Stack) => AnyTable, RegExp][] = [
  [
    'keys that are both strings',
    (stack) => ownTables.Table(stack),
    (stack) => ownTables.Table(stack, { sortKey: { name: 'sk', type: AttributeType.NUMBER } }),
    /outboxTable: 'Test\/Table' lacks a partition key and a sort key .* change the keys\./,
  ],
  [
    'a sort key',
    (stack) => ownTables.TableV2(stack),
    (stack) => ownTables.TableV2(stack, { sortKey: undefined as never }),
    /outboxTable: 'Test\/Table' lacks a partition key and a sort key/,
  ],
  [
    'a time to live',
    (stack) => ownTables.Table(stack),
    (stack) => ownTables.Table(stack, { timeToLiveAttribute: undefined as never }),
    /outboxTable: 'Test\/Table' has no time to live, .* Give the table a timeToLiveAttribute\./,
  ],
  [
    'a time to live that is switched on',
    (stack) => Table.fromTableName(stack, 'Table', cfnTable(stack).ref),
    (stack) => {
      const timeToLiveSpecification = { attributeName: 'ttl', enabled: false };
      return Table.fromTableName(stack, 'Table', cfnTable(stack, { timeToLiveSpecification }).ref);
    },
    /outboxTable: 'Test\/Table' has no time to live/,
  ],
  [
    'attributes with names of their own',
    (stack) => ownTables.Table(stack, { timeToLiveAttribute: 'PK' }),
    (stack) => ownTables.Table(stack, { timeToLiveAttribute: 'pk' }),
    /outboxTable: 'Test\/Table' uses 'pk' for two of its keys and its time to live\./,
  ],
  [
    'attributes of an import with names of their own',
    (stack) => OutboxTable.fromTableAttributes(stack, 'Table', { tableName: 'a', sortKeyName: 'Pk' }),
    (stack) => OutboxTable.fromTableAttributes(stack, 'Table', { tableName: 'a', sortKeyName: 'PK' }),
    /outboxTable: 'Test\/Table' uses 'PK' for two of its keys/,
  ],
];

describe('an own table needs', () => {
  it.each(boundaries)('%s', (_case, fine, wrong, report) => {
    expect(violations('outboxTable', fine)).toBe('');
    const found = violations('outboxTable', wrong);
    expect(found).toMatch(report);
    expect(found.match(/(saga|outbox)Table:/g)).toHaveLength(1);
  });

  it.each([...storedAttributes])('keys that are not called %s', (name) => {
    expect(
      violations('outboxTable', (stack) => ownTables.Table(stack, { partitionKey: text(name) })),
    ).toMatch(
      `outboxTable: 'Test/Table' has '${name}' for a key or the time to live, in which sagabox stores`,
    );
    const other = `${name}s`;
    expect(violations('outboxTable', (stack) => ownTables.Table(stack, { partitionKey: text(other) }))).toBe(
      '',
    );
  });
});

it('a saga table needs a time to live, for locks that leak', () => {
  const { stack } = ordersEndpoint((scope) => ({
    sagaTable: ownTables.Table(scope, { timeToLiveAttribute: undefined as never }),
  }));
  expectViolation(stack, "sagaTable: 'Test/Table' has no time to live");
});

it('an endpoint has a locking mode that there is', () => {
  const { stack } = ordersEndpoint(() => ({ locking: 'cautious' as never }));
  expectViolation(stack, "locking: 'cautious' is not known. Use 'optimistic' or 'pessimistic'.");
});

describe('an embedded outbox needs', () => {
  const sagaTable = (scope: Stack) => new SagaTable(scope, 'Sagas');
  const outboxTable = (scope: Stack) => new OutboxTable(scope, 'Outbox');

  it.each<[string, (scope: Stack) => Partial<MessageEndpointProps>, string]>([
    [
      'a saga table',
      (scope) => ({ outboxTable: outboxTable(scope) }),
      'embeddedOutbox: it is true, and there is no sagaTable',
    ],
    [
      'an outbox table',
      (scope) => ({ sagaTable: sagaTable(scope) }),
      'embeddedOutbox: it is true, and there is no outboxTable',
    ],
  ])('%s', (_what, tables, violation) => {
    const embedded = (embeddedOutbox: boolean) =>
      ordersEndpoint((scope) => ({ ...tables(scope), embeddedOutbox })).stack;
    expectViolation(embedded(true), violation);
    expectViolation(embedded(false), '');
  });
});

it('everything that is wrong with two tables is reported, once for each', () => {
  const table = (stack: Stack, id: string) =>
    new Table(stack, id, { partitionKey: { name: 'state', type: AttributeType.NUMBER } });
  const both = ordersEndpoint((scope) => ({ sagaTable: table(scope, 'A'), outboxTable: table(scope, 'B') }));
  expect(violationsOf(both.stack).match(/(saga|outbox)Table: 'Test\/[AB]' \w+ '?\w+/g)).toEqual([
    "sagaTable: 'Test/A' lacks a",
    "sagaTable: 'Test/A' has no",
    "sagaTable: 'Test/A' has 'state",
    "outboxTable: 'Test/B' lacks a",
    "outboxTable: 'Test/B' has no",
    "outboxTable: 'Test/B' has 'state",
  ]);
  const shared = ordersEndpoint((scope) => {
    const one = table(scope, 'A');
    return { sagaTable: one, outboxTable: one };
  });
  expect(violationsOf(shared.stack).match(/(saga|outbox)Table:/g)).toHaveLength(3);
});

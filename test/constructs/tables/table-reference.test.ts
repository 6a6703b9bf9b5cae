import { describe, expect, it } from '@jest/globals';
import type { Stack } from 'aws-cdk-lib';
import { AttributeType, Table } from 'aws-cdk-lib/aws-dynamodb';
import { MessagingTable, OutboxTable, SagaTable } from 'sagabox/constructs';
import { tableOf } from '../../../lib/compose/table-settings.ts';
import type { AnyTable } from '../../../lib/constructs/construct-types.ts';
import { sagaTableSetting } from '../../../lib/settings/tables.ts';
import { ordersEndpoint, variablesOf, violationsOf } from '../support.ts';
import { ownTables } from './own-tables.ts';

type MakeTable = (stack: Stack) => AnyTable;

/** What the runtime makes of what an endpoint tells of its tables. */
function toldOf(make: MakeTable) {
  const { stack } = ordersEndpoint((scope) => {
    const table = make(scope);
    return { sagaTable: table, outboxTable: table };
  });
  expect(violationsOf(stack)).toBe('');
  const { SAGABOX_SAGA_TABLE: saga, SAGABOX_OUTBOX_TABLE: outbox } = variablesOf(stack, 'Own');
  expect(outbox).toEqual(saga);
  const value = asDeployed(saga);
  return { value, table: tableOf(sagaTableSetting, {}, { SAGABOX_SAGA_TABLE: value }) };
}

/** With the name 'deployed' for whatever CloudFormation makes up. */
function asDeployed(value: unknown): string {
  if (typeof value === 'string') return value;
  const parts = (value as { 'Fn::Join'?: [string, unknown[]] })['Fn::Join']?.[1] ?? [value];
  return parts.map((part) => (typeof part === 'string' ? part : 'deployed')).join('');
}

describe('what an endpoint tells the runtime of its tables', () => {
  it.each(Object.entries(ownTables))('are the keys and the time to live of a %s', (_kind, make) => {
    expect(toldOf(make).table).toEqual({
      tableName: 'deployed',
      partitionKeyName: 'pk',
      sortKeyName: 'sk',
      timeToLiveAttributeName: 'ttl',
    });
  });

  const madeOrNamed: [string, MakeTable, string][] = [
    ['a MessagingTable', (stack) => new MessagingTable(stack, 'Table'), 'deployed'],
    ['a SagaTable by name', (stack) => SagaTable.fromTableName(stack, 'Table', 'sagas'), 'sagas'],
    ['any table by name', (stack) => Table.fromTableName(stack, 'Table', 'any'), 'any'],
    [
      'a table of its own with the default names',
      (stack) =>
        new Table(stack, 'Table', {
          partitionKey: { name: 'PK', type: AttributeType.STRING },
          sortKey: { name: 'SK', type: AttributeType.STRING },
          timeToLiveAttribute: 'ExpiresAt',
        }),
      'deployed',
    ],
  ];
  it.each(madeOrNamed)('is the bare name of %s', (_case, make, name) => {
    expect(toldOf(make).value).toBe(name);
  });

  it('are the names that an import tells, and no others', () => {
    const names = { partitionKeyName: 'pk', timeToLiveAttributeName: 'ttl' };
    const { value } = toldOf((stack) =>
      OutboxTable.fromTableAttributes(stack, 'Table', { tableName: 'records', ...names }),
    );
    expect(JSON.parse(value)).toEqual({ tableName: 'records', ...names });
  });
});

import { describe, expect, it } from '@jest/globals';
import type { Stack } from 'aws-cdk-lib';
import { Annotations, Match } from 'aws-cdk-lib/assertions';
import { Table } from 'aws-cdk-lib/aws-dynamodb';
import { type MessageEndpointProps, MessagingTable, OutboxTable, SagaTable } from 'sagabox/constructs';
import { inlineEndpoint, unbundledStack } from '../support.ts';
import { ownTables } from './own-tables.ts';

type Tables = Pick<MessageEndpointProps, 'sagaTable' | 'outboxTable'>;

function warningsOf(tables: (stack: Stack) => Tables): string[] {
  const stack = unbundledStack();
  inlineEndpoint(stack, 'Orders', tables(stack));
  const found = Annotations.fromStack(stack).findWarning('/Test/Orders', Match.stringLikeRegexp('Table: '));
  return found.map(({ entry }) => String(entry.data));
}

const arn = 'arn:aws:dynamodb:eu-west-1:111111111111:table/orders';

describe('an endpoint is warned of', () => {
  const noOutbox = expect.stringMatching(/^outboxTable: there is none .* outbox: false.*sagabox:noOutbox\]$/);
  const unseen = (setting: string) =>
    expect.stringMatching(
      new RegExp(
        `^${setting}: 'Test/Given' is imported .* 'PK' and 'SK', .* 'ExpiresAt'. .* fromTableAttributes`,
      ),
    );

  it.each<[string, (stack: Stack) => Tables, unknown[]]>([
    ['a saga table alone', (stack) => ({ sagaTable: new SagaTable(stack, 'Given') }), [noOutbox]],
    [
      'an outbox table that is imported by its name',
      (stack) => ({ outboxTable: Table.fromTableName(stack, 'Given', 'orders') }),
      [unseen('outboxTable')],
    ],
    [
      'a saga table that is imported by its ARN',
      (stack) => ({
        sagaTable: Table.fromTableArn(stack, 'Given', arn),
        outboxTable: new OutboxTable(stack, 'Outbox'),
      }),
      [unseen('sagaTable')],
    ],
    [
      'one imported table for both, once',
      (stack) => {
        const table = Table.fromTableName(stack, 'Given', 'orders');
        return { sagaTable: table, outboxTable: table };
      },
      [unseen('sagaTable')],
    ],
  ])('%s', (_, tables, expected) => {
    expect(warningsOf(tables)).toEqual(expected);
  });
});

describe('an endpoint is not warned of', () => {
  it.each<[string, (stack: Stack) => Tables]>([
    ['no tables', () => ({})],
    ['an outbox table alone', (stack) => ({ outboxTable: new OutboxTable(stack, 'Given') })],
    ['a table of the app', (stack) => ({ outboxTable: ownTables.TableV2(stack) })],
    [
      'one table for both',
      (stack) => {
        const table = new MessagingTable(stack, 'Given');
        return { sagaTable: table, outboxTable: table };
      },
    ],
    [
      'tables that are imported with their schema',
      (stack) => ({
        sagaTable: SagaTable.fromTableName(stack, 'Sagas', 'sagas'),
        outboxTable: OutboxTable.fromTableAttributes(stack, 'Given', {
          tableArn: arn,
          partitionKeyName: 'pk',
        }),
      }),
    ],
    [
      'a name that refers to a table of the app',
      (stack) => {
        const { tableName } = new OutboxTable(stack, 'Outbox');
        return { outboxTable: Table.fromTableName(stack, 'Given', tableName) };
      },
    ],
  ])('%s', (_, tables) => {
    expect(warningsOf(tables)).toEqual([]);
  });
});

import { describe, expect, it } from '@jest/globals';
import { CfnParameter, Duration, type Stack } from 'aws-cdk-lib';
import { AttributeType, Table, TableV2 } from 'aws-cdk-lib/aws-dynamodb';
import { MessageEndpoint, OutboxTable } from 'sagabox/constructs';
import { inlineFunction, unbundledStack, violationsOf } from '../support.ts';
import { entry } from './bundled-endpoint.ts';

describe('settings that contradict each other', () => {
  it('are reported at synth, all at once and for all endpoints', () => {
    const stack = unbundledStack();
    const outboxTable = new OutboxTable(stack, 'Outbox');
    new MessageEndpoint(stack, 'Orders', {
      entry,
      outboxTable,
      endpointName: 'or#ders',
      functionTimeout: Duration.seconds(10),
      visibilityTimeout: Duration.seconds(59),
      retention: Duration.days(8),
      deadLetterRetention: Duration.days(7),
      deduplicationPeriod: Duration.days(22),
      maxReceiveCount: 0,
    });
    new MessageEndpoint(stack, 'Billing', { entry, outboxTable, endpointName: 'or#ders' });
    const messages = violationsOf(stack);
    for (const start of [
      '[Test/Orders] endpointName: "or#ders" cannot be part of a key',
      "[Test/Orders] endpointName: 'or#ders' is also the name of Test/Billing",
      '[Test/Orders] visibilityTimeout: 59 s',
      '[Test/Orders] deduplicationPeriod: ',
      '[Test/Orders] deadLetterRetention: ',
      '[Test/Orders] maxReceiveCount: 0',
      '[Test/Billing] endpointName: "or#ders" cannot be part of a key',
      "[Test/Billing] endpointName: 'or#ders' is also the name of Test/Orders",
    ]) {
      expect(messages).toContain(start);
    }
  });

  it.each<[string, (stack: Stack) => readonly [string, string] | undefined, boolean]>([
    ['tables of their own', () => undefined, false],
    ['a table that is imported twice', () => ['outbox', 'outbox'], true],
    ['two imported tables', () => ['outbox', 'other'], false],
    [
      'a table whose name is a token',
      (stack) => {
        const { valueAsString } = new CfnParameter(stack, 'Name');
        return [valueAsString, valueAsString];
      },
      true,
    ],
    [
      'two tables whose names are tokens',
      (stack) => [new CfnParameter(stack, 'A').valueAsString, new CfnParameter(stack, 'B').valueAsString],
      false,
    ],
  ])('include one name on %s', (_tables, importedNames, refused) => {
    const stack = unbundledStack();
    const names = importedNames(stack);
    for (const [index, id] of ['Orders', 'Billing'].entries()) {
      const name = names?.[index];
      const tableId = `${id}Outbox`;
      const outboxTable =
        name === undefined ? new OutboxTable(stack, tableId) : Table.fromTableName(stack, tableId, name);
      new MessageEndpoint(stack, id, { entry, outboxTable, endpointName: 'desk' });
    }
    expect(violationsOf(stack).includes("'desk' is also the name of Test/Billing")).toBe(refused);
  });

  it('include one function for two endpoints', () => {
    const stack = unbundledStack();
    const shared = inlineFunction(stack, 'Own');
    for (const id of ['Orders', 'Billing']) new MessageEndpoint(stack, id, { function: shared });
    expect(violationsOf(stack)).toContain('[Test/Orders] function: it also serves Test/Billing');
  });

  it.each([
    [{ sortKey: { name: 'any', type: AttributeType.STRING } }, false],
    [{ sortKey: { name: 'any', type: AttributeType.NUMBER } }, true],
    [{}, true],
  ])('include a table with the keys %j: %s', (keys, refused) => {
    const partitionKey = { name: 'id', type: AttributeType.STRING };
    for (const Any of [Table, TableV2]) {
      const stack = unbundledStack();
      const outboxTable = new Any(stack, 'Own', { partitionKey, ...keys });
      new MessageEndpoint(stack, 'Orders', { entry, outboxTable });
      expect(violationsOf(stack).includes('Test/Own lacks a partition key and a sort key')).toBe(refused);
    }
  });
});

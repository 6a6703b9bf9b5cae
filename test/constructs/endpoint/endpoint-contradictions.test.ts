import { describe, expect, it } from '@jest/globals';
import { Aws, CfnParameter, Duration, Stack, type StackProps, Stage } from 'aws-cdk-lib';
import { AttributeType, type ITable, Table, TableV2 } from 'aws-cdk-lib/aws-dynamodb';
import { MessageEndpoint, OutboxTable } from 'sagabox/constructs';
import { inlineEndpoint, inlineFunction, unbundledStack, violationsOf } from '../support.ts';
import { entry } from './bundled-endpoint.ts';

const byName = (scope: Stack, name: string) => Table.fromTableName(scope, 'Outbox', name);

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

  const env = { account: '111111111111', region: 'eu-west-1' };
  const arn = 'arn:aws:dynamodb:eu-west-1:111111111111:table/outbox';
  it.each<[string, StackProps, (scope: Stack) => ITable, boolean]>([
    ['unknown accounts that import a name', {}, (scope) => byName(scope, 'outbox'), false],
    ['one known account that import a name', { env }, (scope) => byName(scope, 'outbox'), true],
    [
      'a known account and an unknown region',
      { env: { account: env.account } },
      (scope) => byName(scope, 'outbox'),
      false,
    ],
    ['unknown accounts that import an ARN', {}, (scope) => Table.fromTableArn(scope, 'Outbox', arn), true],
  ])('include one name in two Stages of %s: %#', (_env, props, tableOf, refused) => {
    const app = unbundledStack().node.root;
    for (const id of ['Dev', 'Prod']) {
      const stack = new Stack(new Stage(app, id), 'Shop', props);
      const outboxTable = tableOf(stack);
      new MessageEndpoint(stack, 'Orders', { function: inlineFunction(stack, 'Own'), outboxTable });
    }
    const found = violationsOf(app.node.findChild('Test') as Stack);
    expect(
      found.includes("[Dev/Shop/Orders] endpointName: 'orders' is also the name of Prod/Shop/Orders"),
    ).toBe(refused);
    if (!refused) expect(found).toBe('');
  });

  const byArn = (scope: Stack) =>
    Table.fromTableArn(scope, 'Outbox', `arn:aws:dynamodb:${Aws.REGION}:${Aws.ACCOUNT_ID}:table/outbox`);
  const abroad = { env: { ...env, region: 'us-east-1' } };
  it.each<[string, [StackProps, StackProps], (scope: Stack) => ITable, boolean]>([
    ['one known place by name', [{ env }, { env }], (scope) => byName(scope, 'outbox'), true],
    ['one known place by ARN', [{ env }, { env }], byArn, true],
    ['two regions by ARN', [{ env }, abroad], byArn, false],
    ['unknown places by name', [{}, {}], (scope) => byName(scope, 'outbox'), false],
    ['unknown places by ARN', [{}, {}], byArn, false],
  ])('include one name in two stacks of a Stage, of %s', (_places, ofStacks, tableOf, refused) => {
    const stage = new Stage(unbundledStack().node.root, 'Shop');
    for (const [index, props] of ofStacks.entries()) {
      const stack = new Stack(stage, `Stack${index}`, props);
      const outboxTable = tableOf(stack);
      new MessageEndpoint(stack, 'Orders', { function: inlineFunction(stack, 'Own'), outboxTable });
    }
    const found = violationsOf(stage.node.findChild('Stack0') as Stack);
    expect(found.includes('is also the name of Shop/Stack1/Orders')).toBe(refused);
    if (!refused) expect(found).toBe('');
  });

  it('include one name for a table of the app that another stack imports', () => {
    const stack = unbundledStack();
    const other = new Stack(stack.node.root, 'Other');
    const owned = new OutboxTable(stack, 'Outbox');
    inlineEndpoint(stack, 'Orders', { outboxTable: owned });
    const outboxTable = Table.fromTableArn(other, 'Outbox', owned.tableArn);
    inlineEndpoint(other, 'Orders', { outboxTable });
    expect(violationsOf(stack)).toContain('is also the name of Other/Orders');
  });

  it('include one function for two endpoints', () => {
    const stack = unbundledStack();
    const shared = inlineFunction(stack, 'Own');
    for (const id of ['Orders', 'Billing']) new MessageEndpoint(stack, id, { function: shared });
    expect(violationsOf(stack)).toContain('[Test/Orders] function: it also serves Test/Billing');
  });

  it.each([
    [{ sortKey: { name: 'any', type: AttributeType.STRING } }, 'absent'],
    [{ sortKey: { name: 'any', type: AttributeType.NUMBER } }, 'reported'],
    [{}, 'reported'],
  ])('on the keys of a table, with %j, are %s', (keys, result) => {
    const refused = result === 'reported';
    const partitionKey = { name: 'id', type: AttributeType.STRING };
    for (const Any of [Table, TableV2]) {
      const stack = unbundledStack();
      const outboxTable = new Any(stack, 'Own', { partitionKey, ...keys });
      new MessageEndpoint(stack, 'Orders', { entry, outboxTable });
      expect(
        violationsOf(stack).includes("outboxTable: 'Test/Own' lacks a partition key and a sort key"),
      ).toBe(refused);
    }
  });
});

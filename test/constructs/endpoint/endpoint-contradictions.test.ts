import { describe, expect, it } from '@jest/globals';
import { CfnParameter, Duration } from 'aws-cdk-lib';
import { AttributeType, Table, TableV2 } from 'aws-cdk-lib/aws-dynamodb';
import { MessageEndpoint, OutboxTable } from 'sagabox/constructs';
import { inlineFunction, unbundledStack } from '../support.ts';
import { violationsOf } from '../violations.ts';
import { bundledEndpoint, entry } from './bundled-endpoint.ts';

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

  it('are judged by the limit itself', () => {
    const visible = (seconds: number) =>
      bundledEndpoint({
        functionTimeout: Duration.seconds(10),
        visibilityTimeout: Duration.seconds(seconds),
      });
    expect(violationsOf(visible(60))).toBe('');
    expect(violationsOf(visible(59))).toContain('Use at least 60 s');
  });

  it('do not keep endpoints with one name from deduplicating on tables of their own', () => {
    const stack = unbundledStack();
    for (const id of ['Orders', 'Billing']) {
      const outboxTable = new OutboxTable(stack, `${id}Outbox`);
      new MessageEndpoint(stack, id, { entry, outboxTable, endpointName: 'desk' });
    }
    expect(violationsOf(stack)).toBe('');
  });

  it.each([
    ['outbox', true],
    ['other', false],
  ])('include one name on a table that is imported twice, as outbox and as %s: %s', (tableName, refused) => {
    const stack = unbundledStack();
    for (const [id, name] of [
      ['Orders', 'outbox'],
      ['Billing', tableName],
    ] as const) {
      const outboxTable = Table.fromTableName(stack, `${id}Outbox`, name);
      new MessageEndpoint(stack, id, { entry, outboxTable, endpointName: 'desk' });
    }
    expect(violationsOf(stack).includes("'desk' is also the name of Test/Billing")).toBe(refused);
  });

  it.each([
    ['one token', true],
    ['two tokens', false],
  ])('include one name on a table whose name is %s: %s', (tokens, refused) => {
    const stack = unbundledStack();
    const nameOf = (id: string) =>
      (stack.node.tryFindChild(id) as CfnParameter | undefined) ?? new CfnParameter(stack, id);
    for (const id of ['Orders', 'Billing']) {
      const { valueAsString } = nameOf(tokens === 'one token' ? 'Name' : `${id}Name`);
      const outboxTable = Table.fromTableName(stack, `${id}Outbox`, valueAsString);
      new MessageEndpoint(stack, id, { entry, outboxTable, endpointName: 'desk' });
    }
    expect(violationsOf(stack).includes("'desk' is also the name of Test/Billing")).toBe(refused);
  });

  it('include one function for two endpoints', () => {
    const stack = unbundledStack();
    const shared = inlineFunction(stack, 'Own');
    new MessageEndpoint(stack, 'Orders', { function: shared });
    new MessageEndpoint(stack, 'Billing', { function: shared });
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

import { describe, expect, it } from '@jest/globals';
import { Key } from 'aws-cdk-lib/aws-kms';
import { MessagingTable, OutboxRelay, OutboxTable, SagaTable } from 'sagabox/constructs';
import { inlineFunction, ordersEndpoint, policyStatements, unbundledStack, variablesOf } from '../support.ts';

describe.each(Object.entries({ SagaTable, OutboxTable, MessagingTable }))(
  'an imported %s',
  (_name, Imported) => {
    it('is granted as one that is made here, with its key', () => {
      const stack = unbundledStack();
      const encryptionKey = new Key(stack, 'Key');
      const table = Imported.fromTableAttributes(stack, 'Table', { tableName: 'given', encryptionKey });
      table.grantSagaAccess(inlineFunction(stack, 'Function'));
      const resources = JSON.stringify(policyStatements(stack).map(({ Resource }) => Resource));
      expect(resources).toContain(':table/given"');
      expect(resources).toContain('"Key');
    });

    it('has the relay index that it is said to have', () => {
      const stack = unbundledStack();
      expect(Imported.fromTableName(stack, 'Without', 'given').hasRelayIndex).toBe(false);
      const table = Imported.fromTableAttributes(stack, 'With', { tableName: 'given', relayIndex: true });
      expect(table.hasRelayIndex).toBe(true);
    });

    it('is known by its ARN too', () => {
      const arn = 'arn:aws:dynamodb:us-east-1:111111111111:table/given';
      expect(Imported.fromTableArn(unbundledStack(), 'Table', arn)).toMatchObject({
        tableName: 'given',
        tableArn: arn,
      });
    });
  },
);

it('an endpoint keeps its records in the index of an imported table, and a relay finds them by it', () => {
  const { stack, orders } = ordersEndpoint((scope) => ({
    outboxTable: OutboxTable.fromTableAttributes(scope, 'Outbox', { tableName: 'given', relayIndex: true }),
  }));
  new OutboxRelay(stack, 'Relay', { endpoints: [orders] });
  expect(variablesOf(stack, 'Own').SAGABOX_RELAY_INDEX).toBe('true');
  expect(variablesOf(stack, 'RelayFunction').SAGABOX_RELAY).toContain('"strategy":"index"');
});

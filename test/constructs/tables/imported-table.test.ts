import { describe, expect, it } from '@jest/globals';
import { Key } from 'aws-cdk-lib/aws-kms';
import { MessagingTable, OutboxRelay, OutboxTable, SagaTable } from 'sagabox/constructs';
import {
  expectViolation,
  inlineFunction,
  ordersEndpoint,
  policyStatements,
  propertiesOf,
  unbundledStack,
  variablesOf,
} from '../support.ts';

const tableStreamArn = 'arn:aws:dynamodb:eu-west-1:111111111111:table/given/stream/2026-01-01T00:00:00.000';

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

    it('has the stream that it is said to have', () => {
      const stack = unbundledStack();
      expect(Imported.fromTableName(stack, 'Without', 'given').hasRelayStream).toBe(false);
      const table = Imported.fromTableAttributes(stack, 'With', { tableName: 'given', tableStreamArn });
      expect(table).toMatchObject({ hasRelayStream: true, tableStreamArn });
    });

    it.each([['given'], ['arn:aws:dynamodb:eu-west-1:111111111111:table/given'], ['']])(
      'with %j for its stream is refused',
      (wrong) => {
        const stack = unbundledStack();
        Imported.fromTableAttributes(stack, 'Table', { tableName: 'given', tableStreamArn: wrong });
        expectViolation(stack, '[Test/Table] tableStreamArn:');
        expect.hasAssertions();
      },
    );

    it('is known by its ARN too', () => {
      const arn = 'arn:aws:dynamodb:us-east-1:111111111111:table/given';
      expect(Imported.fromTableArn(unbundledStack(), 'Table', arn)).toMatchObject({
        tableName: 'given',
        tableArn: arn,
      });
    });
  },
);

it('a relay watches the stream of an imported table, and of no endpoint is told', () => {
  const { stack, orders } = ordersEndpoint((scope) => ({
    outboxTable: OutboxTable.fromTableAttributes(scope, 'Outbox', { tableName: 'given', tableStreamArn }),
  }));
  new OutboxRelay(stack, 'Relay', { endpoints: [orders] });
  expect(propertiesOf(stack, 'AWS::Lambda::EventSourceMapping', 'Relay')).toMatchObject({
    EventSourceArn: tableStreamArn,
  });
  expect(JSON.stringify(variablesOf(stack, 'RelayFunction').SAGABOX_RELAY)).toContain(
    '"strategy\\":\\"stream',
  );
  expect(JSON.stringify(variablesOf(stack, 'Own'))).not.toMatch(/stream|relay/i);
});

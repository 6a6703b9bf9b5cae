import { describe, expect, it } from '@jest/globals';
import { Template } from 'aws-cdk-lib/assertions';
import { OutboxTable, SagaTable, TableCapacity } from 'sagabox/constructs';
import { propertiesOf, unbundledStack } from '../support.ts';

const TABLE = 'AWS::DynamoDB::Table';
const TARGET = 'AWS::ApplicationAutoScaling::ScalableTarget';

const index = {
  IndexName: 'Undispatched',
  KeySchema: [
    { AttributeName: 'recoveryShard', KeyType: 'HASH' },
    { AttributeName: 'storedAt', KeyType: 'RANGE' },
  ],
  Projection: { ProjectionType: 'KEYS_ONLY' },
};

describe.each(Object.entries({ SagaTable, OutboxTable }))(
  'the relay index of a %s',
  (_name, MessagingTable) => {
    it('is left out by default', () => {
      const stack = unbundledStack();
      expect(new MessagingTable(stack, 'Table').hasRelayIndex).toBe(false);
      expect(propertiesOf(stack, TABLE).GlobalSecondaryIndexes).toBeUndefined();
    });

    it('holds keys only, by shard and time', () => {
      const stack = unbundledStack();
      expect(new MessagingTable(stack, 'Table', { relayIndex: true }).hasRelayIndex).toBe(true);
      expect(propertiesOf(stack, TABLE)).toMatchObject({
        BillingMode: 'PAY_PER_REQUEST',
        GlobalSecondaryIndexes: [index],
      });
    });

    it('follows the writes of a table with autoscaling, which it would throttle otherwise', () => {
      const stack = unbundledStack();
      new MessagingTable(stack, 'Table', {
        relayIndex: true,
        capacity: TableCapacity.provisioned({
          read: { minCapacity: 50, maxCapacity: 500 },
          write: { minCapacity: 10, maxCapacity: 400 },
        }),
      });
      expect(propertiesOf(stack, TABLE)).toMatchObject({
        GlobalSecondaryIndexes: [
          { ...index, ProvisionedThroughput: { ReadCapacityUnits: 5, WriteCapacityUnits: 10 } },
        ],
      });
      Template.fromStack(stack).hasResourceProperties(TARGET, {
        ScalableDimension: 'dynamodb:index:WriteCapacityUnits',
        MinCapacity: 10,
        MaxCapacity: 400,
      });
    });
  },
);

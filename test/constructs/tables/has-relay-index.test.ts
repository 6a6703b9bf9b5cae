import { describe, expect, it } from '@jest/globals';
import { MessagingTable, OutboxTable, SagaTable } from 'sagabox/constructs';
import { propertiesOf, unbundledStack } from '../support.ts';

const TABLE = 'AWS::DynamoDB::Table';

const index = {
  IndexName: 'Undispatched',
  KeySchema: [
    { AttributeName: 'recoveryShard', KeyType: 'HASH' },
    { AttributeName: 'storedAt', KeyType: 'RANGE' },
  ],
  Projection: { ProjectionType: 'KEYS_ONLY' },
};

describe.each(Object.entries({ SagaTable, OutboxTable, MessagingTable }))(
  'the relay index of a %s',
  (_name, AnyTable) => {
    it('is left out by default', () => {
      const stack = unbundledStack();
      expect(new AnyTable(stack, 'Table').hasRelayIndex).toBe(false);
      expect(propertiesOf(stack, TABLE).GlobalSecondaryIndexes).toBeUndefined();
    });

    it('holds keys only, by shard and time', () => {
      const stack = unbundledStack();
      expect(new AnyTable(stack, 'Table', { relayIndex: true }).hasRelayIndex).toBe(true);
      expect(propertiesOf(stack, TABLE)).toMatchObject({
        BillingMode: 'PAY_PER_REQUEST',
        GlobalSecondaryIndexes: [index],
      });
    });
  },
);

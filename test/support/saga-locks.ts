import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { tableDefaults } from '../../lib/dynamodb/table-defaults.ts';
import type { Clock } from '../../lib/kernel/clock.ts';
import { defaultMapper } from '../../lib/saga/item/mapper.dynamodb.ts';
import { DynamoDBSagaLocks } from '../../lib/saga/saga-locks.dynamodb.ts';

export function dynamoDBSagaLocks(
  client: DynamoDBClient,
  tableName: string,
  clock: Clock,
): DynamoDBSagaLocks {
  return new DynamoDBSagaLocks({
    client,
    table: { ...tableDefaults, tableName },
    mapper: defaultMapper,
    clock,
  });
}

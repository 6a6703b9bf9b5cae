import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { defaultMapper } from '../../lib/adapters/dynamodb/saga/mapper.ts';
import { DynamoDBSagaLocks } from '../../lib/adapters/dynamodb/saga/saga-locks.ts';
import { tableDefaults } from '../../lib/core/storage/table-defaults.ts';
import type { Clock } from '../../lib/ports/clock.ts';

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

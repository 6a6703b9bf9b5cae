import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { tableDefaults } from '../../lib/core/storage/table-defaults.ts';
import { defaultMapper } from '../../lib/dynamodb/mapper.ts';
import { DynamoDBSagaLocks } from '../../lib/dynamodb/saga-locks.ts';
import type { Clock } from '../../lib/ports.ts';

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

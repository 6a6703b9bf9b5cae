import { type AttributeValue, GetItemCommand } from '@aws-sdk/client-dynamodb';
import { keyAttributes } from '../../lib/dynamodb/item-attributes.ts';
import { type SagaIdentity, sagaKey } from '../../lib/dynamodb/keys.ts';
import { tableDefaults } from '../../lib/dynamodb/table-defaults.ts';
import type { Resources } from './resources.ts';

/** The item in which sagabox stores a saga; undefined if there is none. */
export async function sagaItem(
  { dynamoDBClient, tableName }: Pick<Resources, 'dynamoDBClient' | 'tableName'>,
  saga: SagaIdentity,
): Promise<Record<string, AttributeValue> | undefined> {
  const Key = keyAttributes(tableDefaults, sagaKey(saga));
  const command = new GetItemCommand({ TableName: tableName, Key, ConsistentRead: true });
  return (await dynamoDBClient.send(command)).Item;
}

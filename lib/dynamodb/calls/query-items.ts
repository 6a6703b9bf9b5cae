import { type DynamoDBClient, QueryCommand, type QueryCommandInput } from '@aws-sdk/client-dynamodb';
import type { CapacityMeter } from '../capacity-meter.ts';
import type { Item } from '../item-attributes.ts';
import { translateServiceError } from './service-errors.ts';

/**
 * Yields the items of all pages of a query as they arrive.
 *
 * @param signal once it is aborted, no further page is read
 */
export async function* queryItems(
  client: DynamoDBClient,
  query: QueryCommandInput,
  meter: CapacityMeter,
  signal?: AbortSignal,
): AsyncGenerator<Item> {
  let startKey: Item | undefined;
  try {
    do {
      const page = { ...query, ExclusiveStartKey: startKey, ReturnConsumedCapacity: 'TOTAL' } as const;
      const { Items = [], ConsumedCapacity, LastEvaluatedKey } = await client.send(new QueryCommand(page));
      meter.addRead(ConsumedCapacity?.CapacityUnits);
      yield* Items;
      startKey = LastEvaluatedKey;
    } while (startKey !== undefined && !signal?.aborted);
  } catch (error) {
    throw translateServiceError(error, 'Query', [query.TableName ?? '']);
  }
}

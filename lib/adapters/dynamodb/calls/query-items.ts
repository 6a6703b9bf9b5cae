import { type DynamoDBClient, paginateQuery, type QueryCommandInput } from '@aws-sdk/client-dynamodb';
import type { CapacityMeter } from '../../../core/storage/capacity-meter.ts';
import type { Item } from '../../../core/storage/item-attributes.ts';
import { translateServiceError } from './service-errors.ts';

/**
 * The items of all pages of a query, as they come.
 *
 * @param signal reads no further page once it is aborted
 */
export async function* queryItems(
  client: DynamoDBClient,
  query: QueryCommandInput,
  meter: CapacityMeter,
  signal?: AbortSignal,
): AsyncGenerator<Item> {
  try {
    for await (const page of paginateQuery({ client }, { ...query, ReturnConsumedCapacity: 'TOTAL' })) {
      meter.addRead(page.ConsumedCapacity?.CapacityUnits);
      yield* page.Items ?? [];
      if (signal?.aborted) return;
    }
  } catch (error) {
    throw translateServiceError(error, 'Query', [query.TableName ?? '']);
  }
}

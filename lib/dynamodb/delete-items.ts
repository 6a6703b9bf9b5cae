import {
  type AttributeValue,
  BatchWriteItemCommand,
  type DynamoDBClient,
  type WriteRequest,
} from '@aws-sdk/client-dynamodb';
import type { CapacityMeter } from '../core/capacity-meter.ts';
import { SagaboxError } from '../core/errors.ts';
import type { Clock } from '../ports.ts';
import { callDynamoDB } from './service-errors.ts';

const MAXIMUM_ROUNDS = 8;
const BASE_DELAY_MS = 25;

/**
 * Deletes up to 25 items by key, and again those that DynamoDB leaves unprocessed under load.
 * The 4 MB of the transaction that wrote them hold no more than 12 chunks.
 */
export async function deleteItems(
  client: DynamoDBClient,
  clock: Clock,
  tableName: string,
  keys: readonly Record<string, AttributeValue>[],
  meter: CapacityMeter,
): Promise<void> {
  let pending: WriteRequest[] = keys.map((key) => ({ DeleteRequest: { Key: key } }));
  for (let round = 0; pending.length > 0; round += 1) {
    if (round === MAXIMUM_ROUNDS) {
      throw new SagaboxError('Throttled', {
        operation: 'BatchWriteItem',
        reason: `${pending.length} items left unprocessed`,
      });
    }
    if (round > 0) await clock.sleep(BASE_DELAY_MS * 2 ** round);
    const command = new BatchWriteItemCommand({
      RequestItems: { [tableName]: pending },
      ReturnConsumedCapacity: 'TOTAL',
    });
    const output = await callDynamoDB('BatchWriteItem', [tableName], () => client.send(command));
    for (const consumed of output.ConsumedCapacity ?? []) meter.addWrite(consumed.CapacityUnits);
    pending = output.UnprocessedItems?.[tableName] ?? [];
  }
}

import {
  ConditionalCheckFailedException,
  type ConsumedCapacity,
  type DynamoDBClient,
  PutItemCommand,
  type PutItemCommandInput,
  UpdateItemCommand,
  type UpdateItemCommandInput,
} from '@aws-sdk/client-dynamodb';
import type { CapacityMeter } from '../capacity-meter.ts';
import type { Item } from '../item-attributes.ts';
import { translateServiceError } from './service-errors.ts';

/**
 * Request parameters that also ask for the item that refuses the condition: the item tells why, and whether
 * the write was made before.
 */
export const returnedValues = {
  ReturnConsumedCapacity: 'TOTAL',
  ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
} as const;

export interface ConditionalOutcome {
  /** The attributes that the write was asked to return. */
  readonly attributes?: Item | undefined;
  /** The error of a condition that did not hold; `undefined` if the condition held. */
  readonly refusal?: ConditionalCheckFailedException;
}

/** Makes one write of one item. A condition that does not hold is an outcome, not an error. */
export async function conditionalWrite(
  operation: string,
  tableName: string | undefined,
  meter: CapacityMeter,
  send: () => Promise<{ Attributes?: Item | undefined; ConsumedCapacity?: ConsumedCapacity | undefined }>,
): Promise<ConditionalOutcome> {
  try {
    const output = await send();
    meter.addWrite(output.ConsumedCapacity?.CapacityUnits);
    return { attributes: output.Attributes };
  } catch (error) {
    if (error instanceof ConditionalCheckFailedException) return { refusal: error };
    throw translateServiceError(error, operation, [tableName ?? '']);
  }
}

export async function updateItem(
  client: DynamoDBClient,
  update: UpdateItemCommandInput,
  meter: CapacityMeter,
): Promise<ConditionalOutcome> {
  const command = new UpdateItemCommand({ ...update, ...returnedValues });
  return await conditionalWrite('UpdateItem', update.TableName, meter, () => client.send(command));
}

export async function putItem(
  client: DynamoDBClient,
  put: PutItemCommandInput,
  meter: CapacityMeter,
): Promise<ConditionalOutcome> {
  const command = new PutItemCommand({ ...put, ...returnedValues });
  return await conditionalWrite('PutItem', put.TableName, meter, () => client.send(command));
}

import type { TransactWriteItem } from '@aws-sdk/client-dynamodb';
import { dynamoDBError, sqsError } from '../../support/faults.ts';

export type Service = 'DynamoDB' | 'SQS';

export function throttling(service: Service): Error {
  return service === 'DynamoDB'
    ? dynamoDBError('ProvisionedThroughputExceededException', { $metadata: {} })
    : withStatus(sqsError('RequestThrottled'), 403);
}

export function serverFailure(service: Service): Error {
  return service === 'DynamoDB'
    ? withStatus(dynamoDBError('InternalServerError'), 500)
    : withStatus(sqsError('InternalFailure'), 500);
}

/** @param chosen the write that somebody else's transaction is at */
export function transactionConflict(operation: string, input: unknown, chosen: number): Error {
  if (operation !== 'TransactWriteItems')
    return dynamoDBError('TransactionConflictException', { $metadata: {} });
  const { TransactItems = [] } = input as { TransactItems?: TransactWriteItem[] };
  const CancellationReasons = TransactItems.map((_item, index) => ({
    Code: index === chosen % TransactItems.length ? 'TransactionConflict' : 'None',
  }));
  return dynamoDBError('TransactionCanceledException', { $metadata: {}, CancellationReasons });
}

function withStatus(error: Error, httpStatusCode: number): Error {
  const $fault = httpStatusCode < 500 ? 'client' : 'server';
  return Object.assign(error, { $fault, $metadata: { httpStatusCode } });
}

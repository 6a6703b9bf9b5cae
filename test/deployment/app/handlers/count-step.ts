import type { TransactWriteItem } from '@aws-sdk/client-dynamodb';

/** Counts a step of an order in the transaction of its message, with the version of the handler. */
export function countStep(orderId: string, step: string, version = 'first'): TransactWriteItem {
  return {
    Update: {
      TableName: process.env.LEDGER_TABLE,
      Key: { step: { S: `${orderId} ${step}` } },
      UpdateExpression: 'ADD times :one SET #version = :version',
      ExpressionAttributeNames: { '#version': 'version' },
      ExpressionAttributeValues: { ':one': { N: '1' }, ':version': { S: version } },
    },
  };
}

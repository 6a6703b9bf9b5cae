import type { TransactWriteItem } from '@aws-sdk/client-dynamodb';

/** Counts one more for a step of an order, in the transaction of its message. */
export function countStep(orderId: string, step: string): TransactWriteItem {
  return {
    Update: {
      TableName: process.env.LEDGER_TABLE,
      Key: { step: { S: `${orderId} ${step}` } },
      UpdateExpression: 'ADD times :one',
      ExpressionAttributeValues: { ':one': { N: '1' } },
    },
  };
}

import type { TransactWriteItem } from '@aws-sdk/client-dynamodb';

/** Counts one more for an order, in the transaction of the message. */
export function countUp(tableName: string | undefined, orderId: string, counter: string): TransactWriteItem {
  return {
    Update: {
      TableName: tableName,
      Key: { orderId: { S: orderId } },
      UpdateExpression: 'ADD #counter :one',
      ExpressionAttributeNames: { '#counter': counter },
      ExpressionAttributeValues: { ':one': { N: '1' } },
    },
  };
}

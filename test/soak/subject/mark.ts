import type { TransactWriteItem } from '@aws-sdk/client-dynamodb';

/**
 * A write of the user's own, which counts how often it is made and names the run of the handler that made it.
 */
export function markOf(markTable: string, messageId: string, attempt: string): TransactWriteItem {
  return {
    Update: {
      TableName: markTable,
      Key: { PK: { S: messageId }, SK: { S: 'MARK' } },
      UpdateExpression: 'ADD applied :one SET attempt = :attempt',
      ExpressionAttributeValues: { ':one': { N: '1' }, ':attempt': { S: attempt } },
    },
  };
}

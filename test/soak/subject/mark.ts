import type { TransactWriteItem } from '@aws-sdk/client-dynamodb';

/** A write of the user, which counts itself and names the run of the handler. */
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

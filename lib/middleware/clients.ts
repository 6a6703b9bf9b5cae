import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { SQSClient } from '@aws-sdk/client-sqs';

let sharedDynamoDBClient: DynamoDBClient | undefined;
let sharedSqsClient: SQSClient | undefined;

/** One connection pool for the process, made when it is first needed. */
export function defaultDynamoDBClient(): DynamoDBClient {
  sharedDynamoDBClient ??= new DynamoDBClient({});
  return sharedDynamoDBClient;
}

export function defaultSqsClient(): SQSClient {
  sharedSqsClient ??= new SQSClient({});
  return sharedSqsClient;
}

import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { SQSClient } from '@aws-sdk/client-sqs';

/**
 * By itself the SDK waits for an answer for ever, so that one call which gets none would keep the whole
 * invocation, and all messages of its batch, from their end. The SDK sends what timed out again, within its
 * number of attempts: a call without an answer fails after 9 s where there are three of them, and 12 s with
 * the four of DynamoDB, so that a function of 30 s has time left.
 */
export const callLimits = {
  connectionTimeout: 1000,
  requestTimeout: 3000,
  /** The request's own timeout ends with the head of the answer: this one is for a body that stops coming. */
  socketTimeout: 3000,
  throwOnRequestTimeout: true,
} as const;

/**
 * A body of a claim check takes longer than an answer of the other services: up to 50 MiB, on a function with
 * a small share of the network.
 */
export const bodyCallLimits = { ...callLimits, requestTimeout: 30_000, socketTimeout: 30_000 } as const;

let sharedDynamoDBClient: DynamoDBClient | undefined;
let sharedSqsClient: SQSClient | undefined;

/** One connection pool for the process, made when it is first needed. */
export function defaultDynamoDBClient(): DynamoDBClient {
  sharedDynamoDBClient ??= new DynamoDBClient({ requestHandler: callLimits });
  return sharedDynamoDBClient;
}

export function defaultSqsClient(): SQSClient {
  sharedSqsClient ??= new SQSClient({ requestHandler: callLimits });
  return sharedSqsClient;
}

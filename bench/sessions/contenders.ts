import { IdempotencyConfig } from '@aws-lambda-powertools/idempotency';
import { DynamoDBPersistenceLayer } from '@aws-lambda-powertools/idempotency/dynamodb';
import { makeHandlerIdempotent } from '@aws-lambda-powertools/idempotency/middleware';
import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import type { SQSClient } from '@aws-sdk/client-sqs';
import middy from '@middy/core';
import type {
  APIGatewayProxyEventV2,
  APIGatewayProxyStructuredResultV2,
  Context as LambdaContext,
} from 'aws-lambda';
import { idempotencyKeyHeader, outboxSession } from 'sagabox';
import { tableDefaults } from '../../lib/dynamodb/table-defaults.ts';
import { placeOrder } from './requests.ts';

export interface SessionClients {
  readonly dynamoDBClient: DynamoDBClient;
  readonly sqsClient: SQSClient;
}

type HandleRequest = (
  event: APIGatewayProxyEventV2,
  context: LambdaContext,
) => Promise<APIGatewayProxyStructuredResultV2>;

/** One way to answer a request once, however often it comes. */
export type StartSession = (clients: SessionClients, tableName: string) => HandleRequest;

const sagabox =
  (exclusive: boolean): StartSession =>
  (clients, tableName) =>
    middy<APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2>()
      .use(
        outboxSession({
          endpoint: 'shop-api',
          outboxTable: { tableName },
          idempotencyKey: idempotencyKeyHeader(),
          requireIdempotencyKey: true,
          exclusive,
          ...clients,
        }),
      )
      .handler(placeOrder) as unknown as HandleRequest;

/** It compares the body of a repeated request too, as a session does. */
const powertools: StartSession = ({ dynamoDBClient }, tableName) => {
  const persistenceStore = new DynamoDBPersistenceLayer({
    tableName,
    keyAttr: tableDefaults.partitionKeyName,
    sortKeyAttr: tableDefaults.sortKeyName,
    staticPkValue: 'shop-api',
    awsSdkV3Client: dynamoDBClient,
  });
  const config = new IdempotencyConfig({
    eventKeyJmesPath: 'headers."idempotency-key"',
    payloadValidationJmesPath: 'body',
    throwOnNoIdempotencyKey: true,
  });
  return middy<APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2>()
    .use(makeHandlerIdempotent({ persistenceStore, config }))
    .handler(placeOrder) as unknown as HandleRequest;
};

/** Of two simultaneous requests, `sagabox` runs both and commits one; the others run one. */
export const sessionContenders = {
  sagabox: sagabox(false),
  sagaboxExclusive: sagabox(true),
  powertools,
} as const;

export type SessionContender = keyof typeof sessionContenders;
export const sessionContenderNames = Object.keys(sessionContenders) as SessionContender[];

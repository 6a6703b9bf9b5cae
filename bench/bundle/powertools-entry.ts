import { BatchProcessor, EventType, processPartialResponse } from '@aws-lambda-powertools/batch';
import { IdempotencyConfig, makeIdempotent } from '@aws-lambda-powertools/idempotency';
import { DynamoDBPersistenceLayer } from '@aws-lambda-powertools/idempotency/dynamodb';
import middy from '@middy/core';
import type { SQSEvent, SQSRecord } from 'aws-lambda';

const processor = new BatchProcessor(EventType.SQS);
const config = new IdempotencyConfig({ eventKeyJmesPath: 'messageId' });
const persistenceStore = new DynamoDBPersistenceLayer({ tableName: process.env.TABLE_NAME ?? 'idempotency' });
const handleRecord = makeIdempotent(async (record: SQSRecord) => JSON.parse(record.body), {
  persistenceStore,
  config,
});

export const handler = middy<SQSEvent>().handler(async (event, context) => {
  config.registerLambdaContext(context);
  return await processPartialResponse(event, handleRecord, processor, { context });
});

import { BatchProcessor, EventType, processPartialResponse } from '@aws-lambda-powertools/batch';
import { IdempotencyConfig, makeIdempotent } from '@aws-lambda-powertools/idempotency';
import type { DynamoDBPersistenceLayer } from '@aws-lambda-powertools/idempotency/dynamodb';
import middy from '@middy/core';
import type { SQSEvent, SQSRecord } from 'aws-lambda';

/**
 * Powertools' batch processing with an idempotent record handler, as its documentation composes them: the key
 * is the SQS message id, the records run side by side, and a record is put before its handler and updated
 * after it.
 */
export function powertoolsHandler(
  persistenceStore: DynamoDBPersistenceLayer,
  handle: (record: SQSRecord) => Promise<void>,
) {
  const processor = new BatchProcessor(EventType.SQS);
  const config = new IdempotencyConfig({ eventKeyJmesPath: 'messageId' });
  const handleRecord = makeIdempotent(handle, { persistenceStore, config });
  return middy<SQSEvent>().handler(async (event, context) => {
    config.registerLambdaContext(context);
    return await processPartialResponse(event, handleRecord, processor, { context });
  });
}

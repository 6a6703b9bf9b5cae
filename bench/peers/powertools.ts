import { BatchProcessor, EventType, processPartialResponse } from '@aws-lambda-powertools/batch';
import { IdempotencyConfig, makeIdempotent } from '@aws-lambda-powertools/idempotency';
import { DynamoDBPersistenceLayer } from '@aws-lambda-powertools/idempotency/dynamodb';
import middy from '@middy/core';
import type { SQSEvent, SQSRecord } from 'aws-lambda';
import type { Contender } from '../overhead/contender.ts';
import { orderFrom } from '../overhead/orders.ts';

/**
 * Powertools' batch processing with an idempotent record handler, as its documentation composes them: the key is the SQS
 * message id, the records run side by side, and a record is put before its handler and updated after it.
 *
 * It does less than sagabox: what a handler writes does not commit with the record, and nothing is sent. It also works on
 * all records of a batch at once, while sagabox keeps FIFO groups and sagas in order.
 */
export const powertools: Contender = {
  name: 'Powertools batch + idempotency',
  start({ dynamoDBClient }, effect) {
    const processor = new BatchProcessor(EventType.SQS);
    const config = new IdempotencyConfig({ eventKeyJmesPath: 'messageId' });
    const persistenceStore = new DynamoDBPersistenceLayer({
      tableName: 'idempotency',
      awsSdkV3Client: dynamoDBClient,
    });
    const handleRecord = makeIdempotent(
      async (record: SQSRecord) => effect(orderFrom(JSON.parse(record.body))),
      { persistenceStore, config },
    );
    return middy<SQSEvent>().handler(async (event, context) => {
      config.registerLambdaContext(context);
      return await processPartialResponse(event, handleRecord, processor, { context });
    });
  },
};

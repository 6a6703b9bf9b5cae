import { DynamoDBPersistenceLayer } from '@aws-lambda-powertools/idempotency/dynamodb';
import type { Contender } from '../overhead/contender.ts';
import { orderFrom } from '../overhead/orders.ts';
import { powertoolsHandler } from './powertools-handler.ts';

/**
 * It does less than sagabox: what a handler writes does not commit with the record, and nothing is sent. It
 * also works on all records of a batch at once, while sagabox keeps FIFO groups and sagas in order. It does
 * more, too: the record that it puts ahead of the handler keeps a second delivery at the same time from it,
 * and what the handler returns is kept.
 */
export const powertools: Contender = {
  name: 'Powertools batch + idempotency',
  start({ dynamoDBClient }, effect) {
    const store = new DynamoDBPersistenceLayer({ tableName: 'idempotency', awsSdkV3Client: dynamoDBClient });
    return powertoolsHandler(store, async ({ body }) => effect(orderFrom(JSON.parse(body))));
  },
};

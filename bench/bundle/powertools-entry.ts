import { DynamoDBPersistenceLayer } from '@aws-lambda-powertools/idempotency/dynamodb';
import { powertoolsHandler } from '../peers/powertools-handler.ts';

/** Makes its client when it is made. */
const store = new DynamoDBPersistenceLayer({ tableName: process.env.TABLE_NAME ?? 'idempotency' });

export const handler = powertoolsHandler(store, async ({ body }) => JSON.parse(body));

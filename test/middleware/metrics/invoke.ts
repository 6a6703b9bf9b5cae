import { writeSync } from 'node:fs';
import { Metrics } from '@aws-lambda-powertools/metrics';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { createHandler, defineHandlers, recoverability } from 'sagabox';
import { sqsRecord } from 'sagabox/testing';
import * as v from 'valibot';
import { silentLogger } from '../../../lib/testing/silent-logger.ts';

/**
 * Invokes a handler with one batch, as a function of Lambda would, and writes its answer to stderr, so that
 * stdout has what sagabox writes alone. Arguments: the endpoint of DynamoDB, the table, and what is special.
 */
const [endpoint = '', tableName = '', special = ''] = process.argv.slice(2);
const credentials = { accessKeyId: 'local', secretAccessKey: 'local' };
const dynamoDBClient = new DynamoDBClient({ endpoint, region: 'us-east-1', credentials });

if (special === 'stdout throws') {
  process.stdout.write = () => {
    throw new Error('no space left');
  };
}
if (special === 'stdout never answers') process.stdout.write = () => true;
if (special === 'stdout is destroyed') process.stdout.destroy();

class Once extends Error {}
let tries = 0;
const shop = defineHandlers({
  messages: { Placed: v.object({}), Flaky: v.object({}), Broken: v.object({}) },
  handlers: {
    Placed: () => {},
    Flaky: () => {
      tries += 1;
      if (tries === 1) throw new Once();
    },
    Broken: () => {
      throw new RangeError('a bug');
    },
  },
});

const metrics = new Metrics({ namespace: 'theirs', serviceName: 'shop' });
const handler = createHandler(shop, {
  endpoint: 'orders',
  outboxTable: { tableName },
  dynamoDBClient,
  logger: silentLogger,
  concurrency: 1,
  recoverability: {
    policy: ({ error }) =>
      error instanceof Once ? recoverability.retryNow : recoverability.retryIn({ seconds: 1 }),
  },
  ...(special === 'metrics are given' && { metrics }),
});

const records = ['m1 Placed', 'm1 Placed', 'm2 Flaky', 'm3 Broken', 'm4 Unknown'].map((message) => {
  const [id = '', type = ''] = message.split(' ');
  return sqsRecord({ id, type, body: {} });
});
const { batchItemFailures } = await handler({ Records: records });
const given = special === 'metrics are given' ? metrics.serializeMetrics() : undefined;
writeSync(2, JSON.stringify({ returned: batchItemFailures.length, given }));

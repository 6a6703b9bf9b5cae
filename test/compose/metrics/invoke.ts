import { Metrics } from '@aws-lambda-powertools/metrics';
import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { createHandler, defineHandlers, recoverability } from 'sagabox';
import { sqsRecord } from 'sagabox/testing';
import * as v from 'valibot';
import { silentLogger } from '../../../lib/testing/silent-logger.ts';

class Once extends Error {}

/**
 * Invokes a handler with one batch, as a function of Lambda would.
 *
 * @returns how many records it returned, and what the metrics of Powertools were given, if it has them
 */
export async function invoke(dynamoDBClient: DynamoDBClient, tableName: string, hasMetrics = false) {
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
    ...(hasMetrics && { metrics }),
  });
  const records = ['m1 Placed', 'm1 Placed', 'm2 Flaky', 'm3 Broken', 'm4 Unknown'].map((message) => {
    const [id = '', type = ''] = message.split(' ');
    return sqsRecord({ id, type, body: {} });
  });
  const { batchItemFailures } = await handler({ Records: records });
  return { returned: batchItemFailures.length, given: hasMetrics ? metrics.serializeMetrics() : undefined };
}

import { inspect } from 'node:util';
import { createHandler, type MessageLogger } from 'sagabox';
import { lambdaContext } from '../../lib/testing/lambda-context.ts';
import type { StartContender } from './contender.ts';
import { carrier, endpoint } from './shipment-messages.ts';
import { shipmentSaga } from './shipment-saga.ts';

/** Messages of one event that are worked on at a time: all. */
export const concurrency = 50;

/** The handler that a user of sagabox deploys, called as Lambda calls it. */
export const startSagabox: StartContender = ({ dynamoDBClient, sqsClient, tableName, queueUrl }) => {
  const problems: string[] = [];
  const keep = (...parts: unknown[]) =>
    void problems.push(parts.map((part) => (typeof part === 'string' ? part : inspect(part))).join(' '));
  const logger: MessageLogger = { info: () => {}, warn: keep, error: keep };
  const handler = createHandler(shipmentSaga, {
    endpoint,
    sagaTable: { tableName },
    outboxTable: { tableName },
    destinations: { [carrier]: queueUrl },
    dynamoDBClient,
    sqsClient,
    concurrency,
    logger,
  });
  return {
    async deliver(event) {
      const { batchItemFailures } = await handler(event, lambdaContext());
      if (batchItemFailures.length === 0) return;
      throw new Error(`sagabox failed ${batchItemFailures.length} messages: ${problems.join('; ')}`);
    },
  };
};

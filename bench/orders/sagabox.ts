import { inspect } from 'node:util';
import { type CreateHandlerOptions, createHandler, type MessageLogger } from 'sagabox';
import { lambdaContext } from '../../lib/testing/lambda-context.ts';
import type { StartContender } from './contender.ts';
import { endpoint, shipping } from './order-messages.ts';
import { orderSaga } from './order-saga.ts';

/** The handler that a user of sagabox deploys, called as Lambda calls it. */
export function startSagabox(options: CreateHandlerOptions = {}, saga = orderSaga): StartContender {
  return ({ tableName, queueUrl, dynamoDBClient, sqsClient }) => {
    const problems: string[] = [];
    const keep = (...parts: unknown[]) => void problems.push(parts.map((part) => inspect(part)).join(' '));
    const logger: MessageLogger = { info: () => {}, warn: keep, error: keep };
    const handler = createHandler(saga, {
      endpoint,
      throwOnFullBatchFailure: false,
      sagaTable: { tableName },
      outboxTable: { tableName },
      destinations: { [shipping]: queueUrl },
      dynamoDBClient,
      sqsClient,
      logger,
      ...options,
    });
    return async (event) => {
      const { batchItemFailures } = await handler(event, lambdaContext());
      if (batchItemFailures.length === 0) return;
      throw new Error(`sagabox failed ${batchItemFailures.length} messages: ${problems.join('; ')}`);
    };
  };
}

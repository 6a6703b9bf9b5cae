import { inspect } from 'node:util';
import { type CreateHandlerOptions, createHandler, type MessageLogger } from 'sagabox';
import type { SqsEventRecord } from '../../lib/local/lambda/sqs-event.ts';
import { lambdaContext } from '../../lib/testing/lambda-context.ts';
import type { Resources } from './resources.ts';

/** One invocation of a function, with all records of the event. */
export type Deliver = (event: { readonly Records: readonly SqsEventRecord[] }) => Promise<void>;

/**
 * The handler that a user of sagabox deploys, called as Lambda calls it.
 *
 * @param destination the name of the one that the queue of the resources stands for
 * @returns what throws when a message fails
 */
export function sagaboxDeliveries(
  definition: Parameters<typeof createHandler>[0],
  { tableName, queueUrl, dynamoDBClient, sqsClient }: Resources,
  destination: string,
  options: CreateHandlerOptions,
): Deliver {
  const problems: string[] = [];
  const keep = (...parts: unknown[]) =>
    void problems.push(parts.map((part) => (typeof part === 'string' ? part : inspect(part))).join(' '));
  const logger: MessageLogger = { info: () => {}, warn: keep, error: keep };
  const handler = createHandler(definition, {
    throwOnFullBatchFailure: false,
    sagaTable: { tableName },
    outboxTable: { tableName },
    destinations: { [destination]: queueUrl },
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
}

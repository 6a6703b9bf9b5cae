import middy from '@middy/core';
import type { SQSRecord } from 'aws-lambda';
import { type CreateHandlerOptions, createHandler, type SqsBatchHandler } from 'sagabox';
import { throughContext } from '../../lib/compose/handler/outbox-middleware.ts';
import type { Definition } from '../../lib/compose/handler/route-messages.ts';
import { sagaOutboxOf } from '../../lib/compose/handler/saga-outbox.ts';
import { sqsBatchOf } from '../../lib/compose/handler/sqs-batch.ts';
import { silentLogger } from '../../lib/testing/silent-logger.ts';

/** How a definition becomes a function: by itself, or with other middlewares around it. */
export type Driver = (definition: Definition, options: CreateHandlerOptions) => SqsBatchHandler;

/** As `sqsBatch(middy(definition.handler).use(sagaOutbox(options)), options)`, by the options of createHandler. */
export const byMiddy: Driver = (definition, options) => {
  const saga = definition.kind === 'saga' ? { saga: definition } : {};
  const outbox = sagaOutboxOf({ ...options, ...saga });
  const handler = middy(definition.handler as () => Promise<unknown>).use(outbox);
  return sqsBatchOf(throughContext(handler), options);
};

/** Runs a function on one table once. @returns the ids of the messages that it returns to the queue */
export async function returnedIds(
  definition: Definition,
  tableName: string,
  Records: readonly SQSRecord[],
  options: CreateHandlerOptions,
  driver: Driver = createHandler,
): Promise<string[]> {
  const table = { tableName };
  const defaults = { throwOnFullBatchFailure: false, sagaTable: table, outboxTable: table };
  const handler = driver(definition, { ...defaults, logger: silentLogger, ...options });
  const { batchItemFailures } = await handler({ Records: [...Records] });
  return batchItemFailures.map(({ itemIdentifier }) => itemIdentifier);
}

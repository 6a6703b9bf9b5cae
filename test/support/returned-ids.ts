import type { SQSRecord } from 'aws-lambda';
import { type CreateHandlerOptions, createHandler } from 'sagabox';
import { silentLogger } from '../../lib/testing/silent-logger.ts';

/** Runs a function on one table once. @returns the ids of the messages that it returns to the queue */
export async function returnedIds(
  definition: Parameters<typeof createHandler>[0],
  tableName: string,
  Records: readonly SQSRecord[],
  options: CreateHandlerOptions,
): Promise<string[]> {
  const table = { tableName };
  const defaults = { throwOnFullBatchFailure: false, sagaTable: table, outboxTable: table };
  const handler = createHandler(definition, { ...defaults, logger: silentLogger, ...options });
  const { batchItemFailures } = await handler({ Records: [...Records] });
  return batchItemFailures.map(({ itemIdentifier }) => itemIdentifier);
}

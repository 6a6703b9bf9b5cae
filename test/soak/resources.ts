import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import type { SQSClient } from '@aws-sdk/client-sqs';
import { withQueues } from '../support/load-kill-verify/endpoints.ts';
import type { Engines } from '../support/own-engines/engines.ts';
import { withTable } from '../support/own-engines/tables.ts';

/** Where a soak takes place. */
export interface Resources extends Engines {
  /** Of the sagas and the outbox. */
  readonly table: string;
  /** Of what the handlers write by themselves. */
  readonly markTable: string;
  readonly queueUrl: string;
  readonly queueArn: string;
  /** Where the handlers send. */
  readonly ledgerQueueUrl: string;
  readonly errorQueueUrl: string;
  readonly deadLetterQueueUrl: string;
}

/** Shorter than some invocations take, so that SQS delivers messages again while they are being handled. */
const defaultVisibilityTimeoutSeconds = 5;

interface QueuesOptions {
  readonly name: string;
  readonly visibilityTimeoutSeconds?: number | undefined;
}

/** The queues of a soak, gone when the work is over. */
export async function withResources<T>(
  client: SQSClient,
  engines: Engines,
  { name, visibilityTimeoutSeconds = defaultVisibilityTimeoutSeconds }: QueuesOptions,
  work: (resources: Resources) => Promise<T>,
): Promise<T> {
  const options = { prefix: name, names: ['accounts' as const], visibilityTimeoutSeconds };
  return await withQueues(client, options, ({ byName, farEndUrl: ledgerQueueUrl }) => {
    const tables = { table: name, markTable: `${name}-marks` };
    return work({ ...engines, ...byName.accounts, ledgerQueueUrl, ...tables });
  });
}

/** New, empty tables under the names that the workers know, gone when the work is over. */
export async function withTables<T>(
  client: DynamoDBClient,
  { table, markTable }: Resources,
  work: () => Promise<T>,
): Promise<T> {
  return await withTable(client, table, () => withTable(client, markTable, work), { stream: 'NEW_IMAGE' });
}

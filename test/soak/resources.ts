import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import type { SQSClient } from '@aws-sdk/client-sqs';
import type { Engines } from '../support/own-engines/engines.ts';
import { withQueue, withRedrivingQueue } from '../support/own-engines/queues.ts';
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
/** Out of reach: a message that comes to the dead-letter queue could not be handled at all. */
const maxReceiveCount = 200;

interface QueuesOptions {
  readonly name: string;
  readonly visibilityTimeoutSeconds?: number | undefined;
}

/** The queues of a soak, gone when the work is over. */
export async function withQueues<T>(
  client: SQSClient,
  engines: Engines,
  { name, visibilityTimeoutSeconds = defaultVisibilityTimeoutSeconds }: QueuesOptions,
  work: (resources: Resources) => Promise<T>,
): Promise<T> {
  const withPlainQueue = (purpose: string, use: (queueUrl: string) => Promise<T>) =>
    withQueue(client, `${name}-${purpose}`, {}, use);
  const redrive = { visibilityTimeoutSeconds, maxReceiveCount };
  return await withPlainQueue('ledger', (ledgerQueueUrl) =>
    withPlainQueue('errors', (errorQueueUrl) =>
      withRedrivingQueue(client, name, redrive, async (queue) => {
        const others = { ledgerQueueUrl, errorQueueUrl, table: name, markTable: `${name}-marks` };
        return await work({ ...engines, ...queue, ...others });
      }),
    ),
  );
}

/** New, empty tables under the names that the workers know, gone when the work is over. */
export async function withTables<T>(
  client: DynamoDBClient,
  { table, markTable }: Resources,
  work: () => Promise<T>,
): Promise<T> {
  return await withTable(client, table, () => withTable(client, markTable, work), { relayIndex: true });
}

import { randomUUID } from 'node:crypto';
import type { Clients } from '../../test/support/own-engines/clients.ts';
import { withQueue } from '../../test/support/own-engines/queues.ts';
import { type TableLayout, withTable } from '../../test/support/own-engines/tables.ts';

/** What a contender works with. */
export interface Resources extends Clients {
  /** Of its sagas and its outbox. */
  readonly tableName: string;
  /** What is sent goes here. */
  readonly queueUrl: string;
}

/** A table and a queue for one contender, gone when the work is over. */
export async function withResources<T>(
  clients: Clients,
  name: string,
  work: (resources: Resources) => Promise<T>,
  layout: TableLayout = {},
): Promise<T> {
  const { dynamoDBClient, sqsClient } = clients;
  const tableName = `bench-${name}-${randomUUID()}`;
  return await withTable(
    dynamoDBClient,
    tableName,
    () => withQueue(sqsClient, tableName, {}, (queueUrl) => work({ ...clients, tableName, queueUrl })),
    layout,
  );
}

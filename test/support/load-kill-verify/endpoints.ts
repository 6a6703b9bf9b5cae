import { randomUUID } from 'node:crypto';
import type { Clients } from '../own-engines/clients.ts';
import { type RedrivingQueue, withQueue, withRedrivingQueue } from '../own-engines/queues.ts';
import { withTable } from '../own-engines/tables.ts';

export interface Endpoint extends RedrivingQueue {
  readonly errorQueueUrl: string;
}

/** The table and the queues of a load. */
export interface Endpoints<Name extends string> {
  readonly tableName: string;
  readonly byName: Readonly<Record<Name, Endpoint>>;
  /** Where messages go that are for none of the endpoints. */
  readonly farEndUrl: string;
}

export interface EndpointsOptions<Name extends string> {
  readonly prefix: string;
  readonly names: readonly Name[];
  /** After which messages of a killed function come back. */
  readonly visibilityTimeoutSeconds: number;
}

/** What is handled twice at a time, and what a killed function held, costs a delivery, too. */
const maxReceiveCount = 100;

/** Endpoints on one table, gone when the work is over. */
export async function withEndpoints<Name extends string, T>(
  { dynamoDBClient, sqsClient }: Clients,
  { prefix, names, visibilityTimeoutSeconds }: EndpointsOptions<Name>,
  work: (endpoints: Endpoints<Name>) => Promise<T>,
): Promise<T> {
  const tableName = `${prefix}-${randomUUID()}`;
  const withQueues = async (
    [name, ...others]: readonly Name[],
    use: (byName: Partial<Record<Name, Endpoint>>) => Promise<T>,
  ): Promise<T> => {
    if (name === undefined) return await use({});
    const redrive = { visibilityTimeoutSeconds, maxReceiveCount };
    return await withQueue(sqsClient, `${tableName}-${name}-errors`, {}, (errorQueueUrl) =>
      withRedrivingQueue(sqsClient, `${tableName}-${name}`, redrive, (queue) =>
        withQueues(others, (rest) => use({ ...rest, [name]: { ...queue, errorQueueUrl } })),
      ),
    );
  };
  return await withTable(dynamoDBClient, tableName, () =>
    withQueue(sqsClient, `${tableName}-far-end`, {}, (farEndUrl) =>
      withQueues(names, (byName) => work({ tableName, byName: byName as Record<Name, Endpoint>, farEndUrl })),
    ),
  );
}

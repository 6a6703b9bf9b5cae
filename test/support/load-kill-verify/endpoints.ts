import { randomUUID } from 'node:crypto';
import type { SQSClient } from '@aws-sdk/client-sqs';
import { type Clients, withClients } from '../own-engines/clients.ts';
import type { Engines } from '../own-engines/engines.ts';
import { type RedrivingQueue, withQueue, withRedrivingQueue } from '../own-engines/queues.ts';
import { withTable } from '../own-engines/tables.ts';

/** The queues of endpoints, by the names of these, and one for what is sent to none of them. */
export interface EndpointQueues<Name extends string> {
  readonly byName: Readonly<Record<Name, RedrivingQueue & { readonly errorQueueUrl: string }>>;
  readonly farEndUrl: string;
}

/** Endpoints on one table of engines. */
export interface Endpoints<Name extends string> extends EndpointQueues<Name> {
  readonly engines: Engines;
  readonly clients: Clients;
  readonly tableName: string;
  readonly destinations: Readonly<Record<string, string>>;
}

interface QueuesOptions<Name extends string> {
  readonly prefix: string;
  readonly names: readonly Name[];
  /** After which messages of a killed function come back. */
  readonly visibilityTimeoutSeconds: number;
}

/** Out of reach: each kill costs a delivery, and so does what is handled twice at a time. */
const maxReceiveCount = 200;

/** Gone when the work is over. */
export async function withEndpoints<Name extends string, T>(
  engines: Engines,
  { prefix, farEnd, ...options }: QueuesOptions<Name> & { readonly farEnd: string },
  work: (endpoints: Endpoints<Name>) => Promise<T>,
): Promise<T> {
  return await withClients(engines, (clients) =>
    withTable(clients.dynamoDBClient, `${prefix}-${randomUUID()}`, (tableName) =>
      withQueues(clients.sqsClient, { ...options, prefix: tableName }, (queues) => {
        const urls = options.names.map((name) => [name, queues.byName[name].queueUrl]);
        const destinations = { ...Object.fromEntries(urls), [farEnd]: queues.farEndUrl };
        return work({ engines, clients, tableName, destinations, ...queues });
      }),
    ),
  );
}

/** Gone when the work is over. */
export async function withQueues<Name extends string, T>(
  client: SQSClient,
  { prefix, names, ...redrive }: QueuesOptions<Name>,
  work: (queues: EndpointQueues<Name>) => Promise<T>,
): Promise<T> {
  const [name, ...others] = names;
  if (name === undefined)
    return await withQueue(client, `${prefix}-far-end`, {}, (farEndUrl) =>
      work({ byName: {} as EndpointQueues<Name>['byName'], farEndUrl }),
    );
  return await withQueue(client, `${prefix}-${name}-errors`, {}, (errorQueueUrl) =>
    withRedrivingQueue(client, `${prefix}-${name}`, { ...redrive, maxReceiveCount }, (queue) =>
      withQueues(client, { prefix, names: others, ...redrive }, ({ byName, farEndUrl }) =>
        work({ byName: { ...byName, [name]: { ...queue, errorQueueUrl } }, farEndUrl }),
      ),
    ),
  );
}

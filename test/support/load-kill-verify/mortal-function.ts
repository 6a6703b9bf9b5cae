import { setTimeout as delay } from 'node:timers/promises';
import type { CreateHandlerOptions, SqsBatchHandler } from 'sagabox';
import { silentLogger } from '../../../lib/testing/silent-logger.ts';
import { work } from '../event-source.ts';
import { type Clients, withClients } from '../own-engines/clients.ts';
import type { Engines } from '../own-engines/engines.ts';
import type { Companion } from './beside.ts';
import type { Endpoints } from './endpoints.ts';
import type { Kills } from './kills.ts';

export interface Mortals<Name extends string> {
  readonly engines: Engines;
  readonly endpoints: Endpoints<Name>;
  /** The name of the far end as a destination. */
  readonly farEnd: string;
  readonly kills: Kills;
}

/** Makes the handler of a function out of what all of them have, with clients of its own. */
export type MakeHandler = (options: CreateHandlerOptions, clients: Clients) => SqsBatchHandler;

const functionTimeoutMs = 10_000;
/** Without long polls: the emulator gives messages to one that was aborted, too. */
const polling = { batchSize: 10, waitTimeSeconds: 0, onIdle: () => delay(20) };

/** The functions of an endpoint, one after the other, each until it is killed. */
export function mortalFunction<Name extends string>(
  { engines, endpoints, farEnd, kills }: Mortals<Name>,
  endpoint: NoInfer<Name>,
  makeHandler: MakeHandler,
): Companion {
  const { tableName, byName, farEndUrl } = endpoints;
  const urls = Object.entries<{ queueUrl: string }>(byName).map(([name, { queueUrl }]) => [name, queueUrl]);
  const live = async (clients: Clients, signal: AbortSignal): Promise<void> => {
    const { dynamoDBClient, sqsClient } = clients;
    const isKilled = kills.hangOver([dynamoDBClient, sqsClient]);
    const options = {
      endpoint,
      sagaTable: { tableName },
      outboxTable: { tableName },
      destinations: { ...Object.fromEntries(urls), [farEnd]: farEndUrl },
      throwOnFullBatchFailure: false,
      logger: silentLogger,
      ...clients,
    };
    const handler = makeHandler(options, clients);
    const source = { sqsClient, queue: byName[endpoint], handler, functionTimeoutMs, ...polling };
    await work(source, signal).catch((error) => {
      if (!isKilled()) throw error;
    });
  };
  return async (signal) => {
    while (!signal.aborted) await withClients(engines, (clients) => live(clients, signal));
  };
}

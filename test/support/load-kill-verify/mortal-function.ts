import { setTimeout as delay } from 'node:timers/promises';
import type { CreateHandlerOptions, SqsBatchHandler } from 'sagabox';
import { silentLogger } from '../../../lib/testing/silent-logger.ts';
import { work } from '../event-source.ts';
import { type Clients, withClients } from '../own-engines/clients.ts';
import type { Companion } from './beside.ts';
import type { Endpoints } from './endpoints.ts';
import type { Kills } from './kills.ts';

/** Makes the handler of a function out of what all of them have, with clients of its own. */
export type MakeHandler = (options: CreateHandlerOptions, clients: Clients) => SqsBatchHandler;

const functionTimeoutMs = 10_000;
/** Without long polls: the emulator gives messages to one that was aborted, too. */
const polling = { batchSize: 10, waitTimeSeconds: 0, onIdle: () => delay(20) };

/** The functions of an endpoint, one after the other, each until it is killed. */
export function mortalFunction<Name extends string>(
  { engines, tableName, byName, destinations }: Endpoints<Name>,
  kills: Kills,
  endpoint: NoInfer<Name>,
  makeHandler: MakeHandler,
): Companion {
  const tables = { sagaTable: { tableName }, outboxTable: { tableName } };
  const common = { endpoint, ...tables, destinations, throwOnFullBatchFailure: false, logger: silentLogger };
  const live = async (clients: Clients, signal: AbortSignal): Promise<void> => {
    const { dynamoDBClient, sqsClient } = clients;
    const isKilled = kills.hangOver([dynamoDBClient, sqsClient]);
    const handler = makeHandler({ ...common, ...clients }, clients);
    const source = { sqsClient, queue: byName[endpoint], handler, functionTimeoutMs, ...polling };
    await work(source, signal).catch((error) => {
      if (!isKilled()) throw error;
    });
  };
  return async (signal) => {
    while (!signal.aborted) await withClients(engines, (clients) => live(clients, signal));
  };
}

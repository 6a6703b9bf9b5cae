import { randomUUID } from 'node:crypto';
import type { CreateHandlerOptions, Locking, SagaOutboxForm, SqsBatchHandler } from 'sagabox';
import { CallRecorder } from '../../lib/capacity/measured/call-recorder.ts';
import { settleAll } from '../../lib/core/async/settle.ts';
import { silentLogger } from '../../lib/testing/silent-logger.ts';
import { type Clients, withClients } from '../../test/support/own-engines/clients.ts';
import type { Engines } from '../../test/support/own-engines/engines.ts';
import {
  messagesWaiting,
  type RedrivingQueue,
  withRedrivingQueue,
} from '../../test/support/own-engines/queues.ts';
import { withTable } from '../../test/support/own-engines/tables.ts';
import type { ContentionRound } from '../benchmark/figures.ts';
import { countCalls } from './count-calls.ts';
import { appliedCounts, counterSaga } from './counter-saga.ts';
import { sendAll, work } from './worker.ts';

type Saga = ReturnType<typeof counterSaga>;
export type MakeHandler = (saga: Saga, options: CreateHandlerOptions) => SqsBatchHandler;

interface Load {
  readonly messages: number;
  readonly workers: number;
  readonly locking: Locking;
  readonly makeHandler: MakeHandler;
  /** @default 'records' */
  readonly outbox?: SagaOutboxForm;
  /** @default the defaults of sagabox */
  readonly recoverability?: CreateHandlerOptions['recoverability'] | undefined;
}

/** The visibility timeout is six times that of the function; the lease of 30 s outlives the function. */
const functionTimeoutMs = 20_000;
const redrive = { visibilityTimeoutSeconds: (6 * functionTimeoutMs) / 1000, maxReceiveCount: 10 };
const roundTimeoutMs = 10 * 60_000;

/** Sends all messages, then starts all workers, until every message is done or dead. */
export async function runRound(
  engines: Engines,
  load: Load,
  interrupt: AbortSignal,
): Promise<ContentionRound> {
  const { messages } = load;
  const tableName = `contention-${randomUUID()}`;
  return await withClients(engines, ({ dynamoDBClient, sqsClient }) =>
    withTable(dynamoDBClient, tableName, () =>
      withRedrivingQueue(sqsClient, tableName, redrive, async (queues) => {
        await sendAll(sqsClient, queues.queueUrl, messages);
        // Behind the SDK's own retries: each of them is a call.
        const recorder = new CallRecorder();
        const newHandler = (clients: Clients) => {
          recorder.watch(clients.dynamoDBClient);
          return handlerOf(load, clients, tableName, queues);
        };
        const seconds = await workOff(engines, load, queues, newHandler, interrupt);
        const counts = await appliedCounts({ dynamoDBClient, tableName });
        return {
          messages,
          applied: counts.filter((count) => count === 1).length,
          twice: counts.filter((count) => count > 1).length,
          deadLettered: await messagesWaiting(sqsClient, queues.deadLetterQueueUrl),
          ...countCalls(recorder.calls, messages),
          seconds,
        };
      }),
    ),
  );
}

/** @returns the seconds until the last message was done */
async function workOff(
  engines: Engines,
  { messages, workers }: Load,
  queues: RedrivingQueue,
  newHandler: (clients: Clients) => SqsBatchHandler,
  interrupt: AbortSignal,
): Promise<number> {
  const finished = new AbortController();
  const signal = AbortSignal.any([finished.signal, interrupt, AbortSignal.timeout(roundTimeoutMs)]);
  const done = new Set<string>();
  const startedAt = performance.now();
  let endedAt = startedAt;
  const finish = () => {
    endedAt = performance.now();
    finished.abort();
  };
  const onDone = (ids: readonly string[]) => {
    for (const id of ids) done.add(id);
    if (done.size === messages) finish();
  };
  const startWorker = async (clients: Clients) => {
    const { sqsClient } = clients;
    const onIdle = async () => {
      const dead = await messagesWaiting(sqsClient, queues.deadLetterQueueUrl);
      if (done.size + dead >= messages) finish();
    };
    const worker = { sqsClient, queues, handler: newHandler(clients), functionTimeoutMs, onDone, onIdle };
    await work(worker, signal).catch((error) => {
      finish();
      throw error;
    });
  };
  await settleAll(Array.from({ length: workers }, () => withClients(engines, startWorker)));
  interrupt.throwIfAborted();
  if (!finished.signal.aborted) throw new Error(`${done.size} of ${messages} messages were done in time`);
  return (endedAt - startedAt) / 1000;
}

function handlerOf(
  { messages, makeHandler, locking, outbox, recoverability }: Load,
  clients: Clients,
  tableName: string,
  { queueUrl }: RedrivingQueue,
): SqsBatchHandler {
  return makeHandler(counterSaga(messages, outbox), {
    endpoint: 'counters',
    sagaTable: { tableName },
    outboxTable: { tableName },
    destinations: { counters: queueUrl },
    locking,
    ...(recoverability && { recoverability }),
    ...clients,
    logger: silentLogger,
  });
}

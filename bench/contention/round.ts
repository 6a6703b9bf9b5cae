import { randomUUID } from 'node:crypto';
import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import type { SQSClient } from '@aws-sdk/client-sqs';
import type { CreateHandlerOptions, Locking, SqsBatchHandler } from 'sagabox';
import { CallRecorder } from '../../lib/capacity/measured/call-recorder.ts';
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
import { sendAll } from './queues.ts';
import { work } from './worker.ts';

export type Saga = ReturnType<typeof counterSaga>;
export type MakeHandler = (saga: Saga, options: CreateHandlerOptions) => SqsBatchHandler;

export interface Load {
  readonly messages: number;
  readonly workers: number;
  readonly locking: Locking;
  readonly makeHandler: MakeHandler;
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
  const tableName = `contention-${randomUUID()}`;
  return await withClients(engines, ({ dynamoDBClient, sqsClient }) =>
    withTable(dynamoDBClient, tableName, () =>
      withRedrivingQueue(sqsClient, tableName, redrive, async (queues) => {
        await sendAll(sqsClient, queues.queueUrl, load.messages);
        const recorder = new CallRecorder();
        const seconds = await workOff(engines, { load, queues, tableName, recorder }, interrupt);
        const calls = countCalls(recorder.calls);
        const { messages } = load;
        const counts = await appliedCounts({ dynamoDBClient, tableName });
        return {
          messages,
          appliedOnce: counts.filter((count) => count === 1).length,
          appliedTwice: counts.filter((count) => count > 1).length,
          deadLettered: await messagesWaiting(sqsClient, queues.deadLetterQueueUrl),
          conflicts: calls.conflicts,
          refusedLockAttempts: calls.refusedLockAttempts,
          rcuPerMessage: calls.readUnits / messages,
          wcuPerMessage: calls.writeUnits / messages,
          refusedWcuPerMessage: calls.refusedWriteUnits / messages,
          seconds,
        };
      }),
    ),
  );
}

interface Round {
  readonly load: Load;
  readonly queues: RedrivingQueue;
  readonly tableName: string;
  /** Of the calls to DynamoDB, the SDK's own retries included. */
  readonly recorder: CallRecorder;
}

/** @returns the seconds until the last message was done */
async function workOff(engines: Engines, round: Round, interrupt: AbortSignal): Promise<number> {
  const { load, queues, recorder } = round;
  const { messages, workers } = load;
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
  const startWorker = async ({ dynamoDBClient, sqsClient }: Clients) => {
    recorder.watch(dynamoDBClient);
    const handler = handlerOf(round, dynamoDBClient, sqsClient);
    const onIdle = async () => {
      const dead = await messagesWaiting(sqsClient, queues.deadLetterQueueUrl);
      if (done.size + dead >= messages) finish();
    };
    try {
      await work({ sqsClient, queues, handler, functionTimeoutMs, onDone, onIdle }, signal);
    } catch (error) {
      finish();
      throw error;
    }
  };
  const ends = await Promise.allSettled(
    Array.from({ length: workers }, () => withClients(engines, startWorker)),
  );
  for (const end of ends) if (end.status === 'rejected') throw end.reason;
  interrupt.throwIfAborted();
  if (!finished.signal.aborted) throw new Error(`${done.size} of ${messages} messages were done in time`);
  return (endedAt - startedAt) / 1000;
}

function handlerOf(
  { load, queues, tableName }: Round,
  dynamoDBClient: DynamoDBClient,
  sqsClient: SQSClient,
): SqsBatchHandler {
  const table = { tableName };
  return load.makeHandler(counterSaga(load.messages), {
    endpoint: 'counters',
    sagaTable: table,
    outboxTable: table,
    destinations: { counters: queues.queueUrl },
    locking: load.locking,
    ...(load.recoverability && { recoverability: load.recoverability }),
    dynamoDBClient,
    sqsClient,
    logger: silentLogger,
  });
}

import { randomUUID } from 'node:crypto';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { SQSClient } from '@aws-sdk/client-sqs';
import type { CreateHandlerOptions, Locking, SqsBatchHandler } from 'sagabox';
import { silentLogger } from '../../lib/testing/silent-logger.ts';
import { CallCounter } from './call-counter.ts';
import { appliedCounts, counterSaga } from './counter-saga.ts';
import type { Engines } from './engines.ts';
import { createQueues, depthOf, sendAll } from './queues.ts';
import { createTable, deleteTable } from './table.ts';
import { work } from './worker.ts';

export type Saga = ReturnType<typeof counterSaga>;
export type MakeHandler = (saga: Saga, options: CreateHandlerOptions) => SqsBatchHandler;

export interface Load {
  readonly messages: number;
  readonly workers: number;
  readonly locking: Locking;
  readonly makeHandler: MakeHandler;
}

export interface RoundFigures {
  readonly messages: number;
  readonly applied: number;
  readonly appliedTwice: number;
  readonly deadLettered: number;
  readonly conflicts: number;
  readonly refusedLockAttempts: number;
  readonly rcuPerMessage: number;
  readonly wcuPerMessage: number;
  readonly seconds: number;
}

/** The usual six to one; the lease of 30 s outlives the function. */
const functionTimeoutMs = 20_000;
const visibilityTimeoutSeconds = (6 * functionTimeoutMs) / 1000;
const roundTimeoutMs = 10 * 60_000;
const identity = { region: 'us-east-1', credentials: { accessKeyId: 'local', secretAccessKey: 'local' } };

/** Sends all messages, then lets all workers loose on them, until every message is done or dead. */
export async function runRound(engines: Engines, load: Load, interrupt: AbortSignal): Promise<RoundFigures> {
  const clients: { destroy(): void }[] = [];
  const keep = <C extends { destroy(): void }>(client: C): C => {
    clients.push(client);
    return client;
  };
  const newDynamoDBClient = () =>
    keep(new DynamoDBClient({ ...identity, endpoint: engines.dynamoDBEndpoint }));
  const newSqsClient = () => keep(new SQSClient({ ...identity, endpoint: engines.sqsEndpoint }));
  const { messages, workers, locking, makeHandler } = load;
  const observer = newDynamoDBClient();
  const producer = newSqsClient();
  const tableName = `contention-${randomUUID()}`;
  await createTable(observer, tableName);
  try {
    const queues = await createQueues(producer, tableName, visibilityTimeoutSeconds);
    await sendAll(producer, queues.queueUrl, messages);
    const counter = new CallCounter();
    const saga = counterSaga(messages);
    const finished = new AbortController();
    const signal = AbortSignal.any([finished.signal, interrupt, AbortSignal.timeout(roundTimeoutMs)]);
    const done = new Set<string>();
    const startedAt = performance.now();
    let endedAt = startedAt;
    const finish = () => {
      endedAt = performance.now();
      finished.abort();
    };
    const startWorker = async () => {
      const dynamoDBClient = newDynamoDBClient();
      counter.watch(dynamoDBClient);
      const sqsClient = newSqsClient();
      const table = { tableName };
      const handler = makeHandler(saga, {
        endpoint: 'counters',
        sagaTable: table,
        outboxTable: table,
        destinations: { counters: queues.queueUrl },
        locking,
        dynamoDBClient,
        sqsClient,
        logger: silentLogger,
      });
      const onDone = (ids: readonly string[]) => {
        for (const id of ids) done.add(id);
        if (done.size === messages) finish();
      };
      const onIdle = async () => {
        const dead = await depthOf(sqsClient, queues.deadLetterQueueUrl);
        if (done.size + dead >= messages) finish();
      };
      try {
        await work({ sqsClient, queues, handler, functionTimeoutMs, onDone, onIdle }, signal);
      } catch (error) {
        finish();
        throw error;
      }
    };
    const ends = await Promise.allSettled(Array.from({ length: workers }, startWorker));
    for (const end of ends) if (end.status === 'rejected') throw end.reason;
    if (!finished.signal.aborted) throw new Error(`${done.size} of ${messages} messages were done in time`);

    const counts = await appliedCounts(observer, tableName);
    return {
      messages,
      applied: counts.filter((count) => count > 0).length,
      appliedTwice: counts.filter((count) => count > 1).length,
      deadLettered: await depthOf(producer, queues.deadLetterQueueUrl),
      conflicts: counter.conflicts,
      refusedLockAttempts: counter.refusedLockAttempts,
      rcuPerMessage: counter.readUnits / messages,
      wcuPerMessage: counter.writeUnits / messages,
      seconds: (endedAt - startedAt) / 1000,
    };
  } finally {
    await deleteTable(observer, tableName);
    for (const client of clients) client.destroy();
  }
}

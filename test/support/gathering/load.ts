import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { createHandler, createProducer } from 'sagabox';
import { settleAll } from '../../../lib/core/async/settle.ts';
import { silentLogger } from '../../../lib/testing/silent-logger.ts';
import { work } from '../event-source.ts';
import { interceptCalls } from '../intercepted-calls.ts';
import { Kills } from '../kills.ts';
import { type Clients, withClients } from '../own-engines/clients.ts';
import type { Engines } from '../own-engines/engines.ts';
import {
  messagesWaiting,
  queueAttribute,
  type RedrivingQueue,
  withQueue,
  withRedrivingQueue,
} from '../own-engines/queues.ts';
import { withTable } from '../own-engines/tables.ts';
import { Random } from '../random.ts';
import { allItems } from '../raw-items.ts';
import { takeAll } from '../take-all.ts';
import { echoing, type GatheringForm, gathering } from './definitions.ts';

export interface GatheringLoad extends GatheringForm {
  readonly requests: number;
  /** Functions of the endpoint that gathers, at a time; a quarter of them answer. */
  readonly workers: number;
  /** How many functions are killed in the middle of their work. */
  readonly kills: number;
  /** Which share of the calls that send messages is sent twice, from 0 to 1. */
  readonly duplicates: number;
  readonly seed: number;
  /** After which messages of a killed function come back. */
  readonly visibilityTimeoutSeconds: number;
  /** Whether all replies wait in the queue before the first one is gathered. */
  readonly atOnce: boolean;
}

export interface GatheringOutcome {
  /** The results that were sent, each message once. */
  readonly results: readonly unknown[];
  readonly killed: number;
  readonly sentTwice: number;
  /** Sagas that have not ended. */
  readonly sagasLeft: number;
  readonly deadLettered: number;
  /** From when replies can be gathered to the result. */
  readonly seconds: number;
}

export interface GatheringHooks {
  /** Gets the client of each function that gathers, once replies can be gathered. */
  readonly watch?: (client: Clients['dynamoDBClient']) => void;
  readonly interrupt?: AbortSignal;
}

const functionTimeoutMs = 10_000;
/** What is handled twice at a time costs a delivery, too. */
const maxReceiveCount = 100;

interface Endpoints {
  readonly tableName: string;
  readonly gathering: RedrivingQueue;
  readonly echo: RedrivingQueue;
  readonly resultsUrl: string;
}

/** One scatter-gather on engines, by functions that may be killed. */
export async function runGathering(
  engines: Engines,
  load: GatheringLoad,
  { watch, interrupt = new AbortController().signal }: GatheringHooks = {},
): Promise<GatheringOutcome> {
  return await withClients(engines, (clients) =>
    withEndpoints(clients, load.visibilityTimeoutSeconds, async (endpoints) => {
      const run = new Run(engines, load, endpoints, watch);
      const ended = new AbortController();
      const signal = AbortSignal.any([ended.signal, interrupt, AbortSignal.timeout(10 * 60_000)]);
      await startOne(clients, endpoints, load.requests);
      const outcome = Promise.withResolvers<number>();
      const observing = run.observe(clients, signal).then(outcome.resolve, outcome.reject);
      const working = run.work(signal).catch(outcome.reject);
      const seconds = await outcome.promise.finally(() => ended.abort());
      await settleAll([observing, working]);
      const items = await allItems(clients.dynamoDBClient, endpoints.tableName);
      const { gathering, echo } = endpoints;
      const dead = await Promise.all(
        [gathering, echo].map((queue) => messagesWaiting(clients.sqsClient, queue.deadLetterQueueUrl)),
      );
      return {
        results: await takeAll(clients.sqsClient, endpoints.resultsUrl),
        killed: run.kills.done,
        sentTwice: run.sentTwice,
        sagasLeft: items.filter((item) => item.state !== undefined).length,
        deadLettered: dead.reduce((sum, count) => sum + count, 0),
        seconds,
      };
    }),
  );
}

class Run {
  readonly kills: Kills;
  sentTwice = 0;
  readonly #engines: Engines;
  readonly #load: GatheringLoad;
  readonly #endpoints: Endpoints;
  readonly #watch: GatheringHooks['watch'];
  readonly #random: Random;
  /** Who may work; each phase ends the functions of the one before. */
  #phase = { gathers: true, answers: true, isWatched: true, ends: new AbortController() };

  constructor(engines: Engines, load: GatheringLoad, endpoints: Endpoints, watch: GatheringHooks['watch']) {
    this.#engines = engines;
    this.#load = load;
    this.#endpoints = endpoints;
    this.#watch = watch;
    this.#random = new Random(load.seed);
    this.kills = new Kills(load.kills, this.#random);
    if (load.atOnce) this.#enter({ gathers: true, answers: false, isWatched: false });
  }

  /** @returns the seconds from when replies could be gathered to the result */
  async observe({ sqsClient }: Clients, signal: AbortSignal): Promise<number> {
    const { gathering, echo, resultsUrl } = this.#endpoints;
    const until = async (isSo: () => Promise<boolean>) => {
      while (!(await isSo())) await delay(20, undefined, { signal });
    };
    const { requests, atOnce } = this.#load;
    if (atOnce) {
      await until(async () => (await messagesWaiting(sqsClient, echo.queueUrl)) >= requests);
      this.#enter({ gathers: false, answers: true, isWatched: false });
      await until(async () => (await messagesWaiting(sqsClient, gathering.queueUrl)) >= requests);
      this.#enter({ gathers: true, answers: false, isWatched: true });
    }
    const startedAt = performance.now();
    await until(async () => (await messagesWaiting(sqsClient, resultsUrl)) > 0);
    const seconds = (performance.now() - startedAt) / 1000;
    // What comes after the result must change nothing.
    const queues = [gathering.queueUrl, echo.queueUrl];
    await until(async () => {
      const counts = await Promise.all(queues.map((queueUrl) => messagesIn(sqsClient, queueUrl)));
      return counts.every((count) => count === 0);
    });
    return seconds;
  }

  /** All functions, each with the next one of its kind after it. */
  async work(signal: AbortSignal): Promise<void> {
    const { workers } = this.#load;
    const kinds = [
      ...Array.from({ length: workers }, () => 'gathers' as const),
      ...Array.from({ length: Math.ceil(workers / 4) }, () => 'answers' as const),
    ];
    await settleAll(
      kinds.map(async (kind) => {
        while (!signal.aborted) {
          const { ends, [kind]: isOn } = this.#phase;
          const life = AbortSignal.any([signal, ends.signal]);
          if (isOn) await withClients(this.#engines, (clients) => this.#function(kind, clients, life));
          else await delay(20, undefined, { signal: life }).catch(() => {});
        }
      }),
    );
  }

  #enter(phase: { gathers: boolean; answers: boolean; isWatched: boolean }): void {
    const { ends } = this.#phase;
    this.#phase = { ...phase, ends: new AbortController() };
    ends.abort();
  }

  async #function(kind: 'gathers' | 'answers', clients: Clients, signal: AbortSignal): Promise<void> {
    const { dynamoDBClient, sqsClient } = clients;
    const { tableName, gathering: gatheringQueue, echo, resultsUrl } = this.#endpoints;
    const isKilled = this.kills.hangOver([dynamoDBClient, sqsClient]);
    this.#sendSomeTwice(sqsClient);
    if (kind === 'gathers' && this.#phase.isWatched) this.#watch?.(dynamoDBClient);
    const { width, outbox, coalesce } = this.#load;
    const [definition, endpoint, queue] =
      kind === 'gathers'
        ? [gathering({ width, outbox, coalesce }).saga, 'gathering', gatheringQueue]
        : [echoing, 'echo', echo];
    const handler = createHandler(definition as typeof echoing, {
      endpoint,
      sagaTable: { tableName },
      outboxTable: { tableName },
      destinations: { gathering: gatheringQueue.queueUrl, echo: echo.queueUrl, results: resultsUrl },
      throwOnFullBatchFailure: false,
      logger: silentLogger,
      ...clients,
    });
    // Without long polls: the emulator gives messages to one that was aborted, too.
    const polling = { batchSize: 10, waitTimeSeconds: 0, onIdle: () => delay(20) };
    await work({ sqsClient, queue, handler, functionTimeoutMs, ...polling }, signal).catch((error) => {
      if (!isKilled()) throw error;
    });
  }

  #sendSomeTwice(client: Clients['sqsClient']): void {
    interceptCalls(client, 'call', async ({ operation, proceed }) => {
      const output = await proceed();
      if (!operation.startsWith('SendMessage') || this.#random.below(1000) >= this.#load.duplicates * 1000)
        return output;
      this.sentTwice += 1;
      return await proceed();
    });
  }
}

async function withEndpoints<T>(
  { dynamoDBClient, sqsClient }: Clients,
  visibilityTimeoutSeconds: number,
  use: (endpoints: Endpoints) => Promise<T>,
): Promise<T> {
  const tableName = `gathering-${randomUUID()}`;
  const redrive = { visibilityTimeoutSeconds, maxReceiveCount };
  return await withTable(dynamoDBClient, tableName, () =>
    withRedrivingQueue(sqsClient, tableName, redrive, (gathering) =>
      withRedrivingQueue(sqsClient, `${tableName}-echo`, redrive, (echo) =>
        withQueue(sqsClient, `${tableName}-results`, {}, (resultsUrl) =>
          use({ tableName, gathering, echo, resultsUrl }),
        ),
      ),
    ),
  );
}

async function startOne({ sqsClient }: Clients, { gathering }: Endpoints, requests: number): Promise<void> {
  const producer = createProducer({ queueUrl: gathering.queueUrl, sqsClient });
  const values = Array.from({ length: requests }, (_, index) => ({ value: index + 1 }));
  await producer.send('GatheringStart', { id: 'one', requests: values });
}

async function messagesIn(client: Clients['sqsClient'], queueUrl: string): Promise<number> {
  const names = ['ApproximateNumberOfMessages', 'ApproximateNumberOfMessagesNotVisible'] as const;
  const counts = await Promise.all(names.map((name) => queueAttribute(client, queueUrl, name)));
  return counts.reduce((sum, count) => sum + Number(count), 0);
}

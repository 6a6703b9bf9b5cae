import { createHandler, createProducer } from 'sagabox';
import { interceptCalls } from '../intercepted-calls.ts';
import type { Companion } from '../load-kill-verify/beside.ts';
import { type Endpoints, withEndpoints } from '../load-kill-verify/endpoints.ts';
import { Kills } from '../load-kill-verify/kills.ts';
import { type MakeHandler, mortalFunction } from '../load-kill-verify/mortal-function.ts';
import { runLoad } from '../load-kill-verify/run-load.ts';
import { type Clients, withClients } from '../own-engines/clients.ts';
import type { Engines } from '../own-engines/engines.ts';
import { messagesWaiting } from '../own-engines/queues.ts';
import { Random } from '../random.ts';
import { allItems } from '../raw-items.ts';
import { bodiesIn, depthOf, messagesIn } from '../received-records.ts';
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
  /** False when nothing moved any more, before all was handled. */
  readonly settled: boolean;
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

const names = ['gathering', 'echo'] as const;
type EndpointName = (typeof names)[number];
const tickMs = 20;

/** One scatter-gather on engines, by functions that may be killed. */
export async function runGathering(
  engines: Engines,
  load: GatheringLoad,
  { watch = () => {}, interrupt = new AbortController().signal }: GatheringHooks = {},
): Promise<GatheringOutcome> {
  const { visibilityTimeoutSeconds } = load;
  return await withClients(engines, (clients) =>
    withEndpoints(clients, { prefix: 'gathering', names, visibilityTimeoutSeconds }, async (endpoints) => {
      const functions = new Functions(engines, endpoints, load);
      await start(clients, endpoints, load.requests);
      const allWait =
        !load.atOnce || (await untilRepliesWait(clients, endpoints, functions, load, interrupt));
      const gathered = await gather(clients, endpoints, functions.all(watch), interrupt);
      return {
        settled: allWait && gathered.settled,
        killed: functions.kills.done,
        sentTwice: functions.sentTwice,
        ...(await leftBehind(clients, endpoints)),
        seconds: gathered.seconds,
      };
    }),
  );
}

type Watch = NonNullable<GatheringHooks['watch']>;

class Functions {
  readonly kills: Kills;
  sentTwice = 0;
  readonly #load: GatheringLoad;
  readonly #random: Random;
  readonly #newFunction: (endpoint: EndpointName, makeHandler: MakeHandler) => Companion;

  constructor(engines: Engines, endpoints: Endpoints<EndpointName>, load: GatheringLoad) {
    this.#load = load;
    this.#random = new Random(load.seed);
    this.kills = new Kills(load.kills, this.#random);
    const mortals = { engines, endpoints, farEnd: 'results', kills: this.kills };
    this.#newFunction = (endpoint, makeHandler) => mortalFunction(mortals, endpoint, makeHandler);
  }

  /** Those that work while replies are gathered. */
  all(watch: Watch): Companion[] {
    return [...this.gatherers(watch), ...(this.#load.atOnce ? [] : this.answerers())];
  }

  gatherers(watch: Watch): Companion[] {
    const { workers, width, outbox, coalesce } = this.#load;
    const { saga } = gathering({ width, outbox, coalesce });
    return Array.from({ length: workers }, () =>
      this.#newFunction('gathering', (options, { dynamoDBClient, sqsClient }) => {
        this.#sendSomeTwice(sqsClient);
        watch(dynamoDBClient);
        return createHandler(saga, options);
      }),
    );
  }

  answerers(): Companion[] {
    return Array.from({ length: Math.ceil(this.#load.workers / 4) }, () =>
      this.#newFunction('echo', (options, { sqsClient }) => {
        this.#sendSomeTwice(sqsClient);
        return createHandler(echoing, options);
      }),
    );
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

async function start(
  { sqsClient }: Clients,
  { byName }: Endpoints<EndpointName>,
  requests: number,
): Promise<void> {
  const producer = createProducer({ queueUrl: byName.gathering.queueUrl, sqsClient });
  const values = Array.from({ length: requests }, (_, index) => ({ value: index + 1 }));
  await producer.send('GatheringStart', { id: 'one', requests: values });
}

/** Lets all requests be sent, and then all of them be answered. @returns whether all replies wait */
async function untilRepliesWait(
  { sqsClient }: Clients,
  { byName }: Endpoints<EndpointName>,
  functions: Functions,
  { requests }: GatheringLoad,
  interrupt: AbortSignal,
): Promise<boolean> {
  const allWaitIn = (queueUrl: string, companions: readonly Companion[]) => {
    const look = async () => {
      const waiting = await messagesWaiting(sqsClient, queueUrl);
      return { isSettled: waiting >= requests, progress: waiting };
    };
    return runLoad({ companions, look, tickMs }, interrupt);
  };
  const areSent = await allWaitIn(
    byName.echo.queueUrl,
    functions.gatherers(() => {}),
  );
  return areSent && (await allWaitIn(byName.gathering.queueUrl, functions.answerers()));
}

/** @returns also the seconds to the result, or until nothing moved any more */
async function gather(
  { sqsClient }: Clients,
  { byName, farEndUrl }: Endpoints<EndpointName>,
  companions: readonly Companion[],
  interrupt: AbortSignal,
): Promise<Pick<GatheringOutcome, 'settled' | 'seconds'>> {
  const startedAt = performance.now();
  let endedAt: number | undefined;
  // What comes after the result must change nothing.
  const look = async () => {
    if ((await messagesWaiting(sqsClient, farEndUrl)) > 0) endedAt ??= performance.now();
    const depths = await Promise.all(names.map((name) => depthOf(sqsClient, byName[name].queueUrl)));
    // Timeouts are delayed, and not waited for.
    const messages = depths.reduce((sum, { now }) => sum + now, 0);
    return { isSettled: endedAt !== undefined && messages === 0, progress: messages };
  };
  const settled = await runLoad({ companions, look, tickMs }, interrupt);
  return { settled, seconds: ((endedAt ?? performance.now()) - startedAt) / 1000 };
}

async function leftBehind(
  { dynamoDBClient, sqsClient }: Clients,
  { tableName, byName, farEndUrl }: Endpoints<EndpointName>,
): Promise<Pick<GatheringOutcome, 'results' | 'sagasLeft' | 'deadLettered'>> {
  const items = await allItems(dynamoDBClient, tableName);
  const deadLetterQueues = names.map((name) => byName[name].deadLetterQueueUrl);
  return {
    results: await bodiesIn(sqsClient, farEndUrl),
    sagasLeft: items.filter((item) => item.state !== undefined).length,
    deadLettered: await messagesIn(sqsClient, deadLetterQueues),
  };
}

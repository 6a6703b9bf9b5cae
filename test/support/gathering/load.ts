import { createHandler, createProducer } from 'sagabox';
import { interceptCalls } from '../intercepted-calls.ts';
import type { Companion } from '../load-kill-verify/beside.ts';
import { type Endpoints, withEndpoints } from '../load-kill-verify/endpoints.ts';
import { Kills } from '../load-kill-verify/kills.ts';
import { mortalFunction } from '../load-kill-verify/mortal-function.ts';
import { runLoad } from '../load-kill-verify/run-load.ts';
import type { Clients } from '../own-engines/clients.ts';
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
  const { visibilityTimeoutSeconds, atOnce } = load;
  const queues = { names, farEnd: 'results', visibilityTimeoutSeconds };
  return await withEndpoints(engines, { prefix: 'gathering', ...queues }, async (endpoints) => {
    const functions = functionsOf(endpoints, load);
    await start(endpoints, load.requests);
    const allWait = !atOnce || (await untilRepliesWait(endpoints, functions, load.requests, interrupt));
    const companions = [...functions.gatherers(watch), ...(atOnce ? [] : functions.answerers)];
    const { settled, seconds } = await gather(endpoints, companions, interrupt);
    const { dynamoDBClient, sqsClient } = endpoints.clients;
    const items = await allItems(dynamoDBClient, endpoints.tableName);
    const deadLetterQueues = names.map((name) => endpoints.byName[name].deadLetterQueueUrl);
    return {
      settled: allWait && settled,
      results: await bodiesIn(sqsClient, endpoints.farEndUrl),
      killed: functions.kills.done,
      sentTwice: functions.sentTwice(),
      sagasLeft: items.filter((item) => item.state !== undefined).length,
      deadLettered: await messagesIn(sqsClient, deadLetterQueues),
      seconds,
    };
  });
}

type Functions = ReturnType<typeof functionsOf>;

function functionsOf(
  endpoints: Endpoints<EndpointName>,
  { workers, width, outbox, coalesce, duplicates, ...load }: GatheringLoad,
) {
  const random = new Random(load.seed);
  const kills = new Kills(load.kills, random);
  let sentTwice = 0;
  const sendSomeTwice = (client: Clients['sqsClient']) =>
    interceptCalls(client, 'call', async ({ operation, proceed }) => {
      const output = await proceed();
      if (!operation.startsWith('SendMessage') || random.below(1000) >= duplicates * 1000) return output;
      sentTwice += 1;
      return await proceed();
    });
  const { saga } = gathering({ width, outbox, coalesce });
  const gatherers = (watch: NonNullable<GatheringHooks['watch']>): Companion[] =>
    Array.from({ length: workers }, () =>
      mortalFunction(endpoints, kills, 'gathering', (options, { dynamoDBClient, sqsClient }) => {
        sendSomeTwice(sqsClient);
        watch(dynamoDBClient);
        return createHandler(saga, options);
      }),
    );
  const answerers: Companion[] = Array.from({ length: Math.ceil(workers / 4) }, () =>
    mortalFunction(endpoints, kills, 'echo', (options, { sqsClient }) => {
      sendSomeTwice(sqsClient);
      return createHandler(echoing, options);
    }),
  );
  return { kills, sentTwice: () => sentTwice, gatherers, answerers };
}

async function start({ clients, byName }: Endpoints<EndpointName>, requests: number): Promise<void> {
  const producer = createProducer({ queueUrl: byName.gathering.queueUrl, sqsClient: clients.sqsClient });
  const values = Array.from({ length: requests }, (_, index) => ({ value: index + 1 }));
  await producer.send('GatheringStart', { id: 'one', requests: values });
}

/** Lets all requests be sent, and then all of them be answered. @returns whether all replies wait */
async function untilRepliesWait(
  { clients: { sqsClient }, byName }: Endpoints<EndpointName>,
  { gatherers, answerers }: Functions,
  requests: number,
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
    gatherers(() => {}),
  );
  return areSent && (await allWaitIn(byName.gathering.queueUrl, answerers));
}

/** @returns also the seconds to the result, or until nothing moved any more */
async function gather(
  { clients: { sqsClient }, byName, farEndUrl }: Endpoints<EndpointName>,
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

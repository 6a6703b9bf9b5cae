/** Entry of a worker process: an event source mapping and its function in one. */
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { SQSClient } from '@aws-sdk/client-sqs';
import type { Context as LambdaContext } from 'aws-lambda';
import { callLimits } from '../../../lib/compose/clients.ts';
import { defaults as optionDefaults } from '../../../lib/compose/defaults.ts';
import { systemClock } from '../../../lib/compose/system-clock.ts';
import { toSeconds } from '../../../lib/kernel/duration.ts';
import { localIdentity } from '../../../lib/local/app/identity.ts';
import type { StreamEventRecord } from '../../../lib/local/streams/stream-event.ts';
import { type EmbeddedLimits, embeddedLimits } from '../../../lib/outbox/embedded/embedded-write.ts';
import { Random } from '../../support/random.ts';
import { Tally } from '../../support/tally.ts';
import { FaultInjector } from '../faults/fault-injector.ts';
import { perMillion } from '../faults/fault-kinds.ts';
import { accountEndpoint } from '../subject/endpoint.ts';
import { timeLimits } from '../subject/time-limits.ts';
import { invoke } from './invocation.ts';
import { Journal } from './journal.ts';
import { leaking } from './leak.ts';
import { Poller } from './poller.ts';
import { takeSample } from './sample.ts';
import {
  type RelayFinds,
  setupVariable,
  type WorkerAnswer,
  type WorkerRequest,
  type WorkerSetup,
} from './worker-protocol.ts';

const setup = JSON.parse(process.env[setupVariable] ?? '{}') as WorkerSetup;
const { resources, functionEndpoints, seed, rates, outbox, isAhead, leak } = setup;
const { region, credentials } = localIdentity;

let release = 0;
const deduplicationPeriodMs = toSeconds(optionDefaults.deduplicationPeriod) * 1000;
/** What the messages of one release have left is as old in the next one as if a deduplication period were over. */
systemClock.now = () => new Date(Date.now() + release * deduplicationPeriodMs);

/** In a round of the default size, a saga has about 37 messages: some inboxes become full, and others do not. */
Object.assign(embeddedLimits, { inboxMessages: 36 } satisfies Partial<EmbeddedLimits>);

const random = new Random(seed);
const tally = new Tally();
const journal = new Journal(setup.journalFile);
const injector = new FaultInjector({
  random,
  rates,
  onFault: (service, kind) => tally.add(`fault ${service} ${kind}`),
  die: () => process.kill(process.pid, 'SIGKILL'),
});
// With the time limits of the clients that sagabox makes by itself.
const common = { region, credentials, requestHandler: callLimits };
const dynamoDBClient = new DynamoDBClient({ ...common, endpoint: functionEndpoints.dynamoDBEndpoint });
const sqsClient = new SQSClient({ ...common, endpoint: functionEndpoints.sqsEndpoint });
const pollingClient = new SQSClient({ region, credentials, endpoint: resources.sqsEndpoint });
injector.watch('DynamoDB', dynamoDBClient);
injector.watch('SQS', sqsClient);
injector.watch('SQS', pollingClient);

const { handler, relays, watcher } = accountEndpoint({
  resources,
  outbox,
  isAhead,
  dynamoDBClient,
  sqsClient,
  tally,
  journal,
  release: () => release,
  fails: () => injector.isOn && random.below(perMillion) < rates.handler,
});
const poller = new Poller({
  client: pollingClient,
  resources,
  handler: leak ? leaking(handler) : handler,
  tally,
  journal,
  invoke: (run, subject) => invokeWithin(timeLimits.batchMs, run, subject),
  onBatch: tell,
});
/** Relays and watchers. */
const underWay = new Set<Promise<void>>();
let relayRuns = 0;
let maxInvocationMs = 0;

function answer(message: WorkerAnswer): void {
  process.send?.(message);
}

function tell(): void {
  answer({ kind: 'counted', counts: tally.take(), maxInvocationMs });
  maxInvocationMs = 0;
}

async function invokeWithin<T>(
  timeLimitMs: number,
  run: (context: LambdaContext) => Promise<T>,
  subject: string,
): Promise<T> {
  const startedAt = new Date().toISOString();
  return await invoke(run, {
    timeLimitMs,
    onTime: (usedMs) => {
      if (timeLimitMs === timeLimits.batchMs) maxInvocationMs = Math.max(maxInvocationMs, usedMs);
    },
    onCutOff: () => {
      journal.note('the invocation was cut off');
      const evidence = `${subject}, begun at ${startedAt}; without an answer: ${injector.pending.join(', ') || 'no call'}`;
      tell();
      process.send?.({ kind: 'cutOff', evidence } satisfies WorkerAnswer, () =>
        process.kill(process.pid, 'SIGKILL'),
      );
    },
  });
}

async function relay(finds: RelayFinds): Promise<void> {
  const run = finds === 'listed' ? relays[0] : relays[relayRuns++ % relays.length];
  if (run === undefined) return;
  try {
    const result = await invokeWithin(timeLimits.relayMs, (context) => run({}, context), 'a relay');
    tally.add('relay runs');
    tally.add('relayed', result.dispatched);
  } catch {
    // What it could not do under faults, another run does.
    tally.add('relay runs that failed');
  }
  // With the next batch it may be lost: its worker may be killed before.
  tell();
}

async function watch(batch: readonly StreamEventRecord[]): Promise<void> {
  let succeeded = false;
  try {
    await invokeWithin(timeLimits.relayMs, () => watcher({ Records: batch } as never), 'a watcher');
    succeeded = true;
    tally.add('batches of the stream');
  } catch {
    tally.add('batches of the stream that failed');
  }
  tell();
  answer({ kind: 'watched', succeeded });
}

function goesOn(run: Promise<void>): void {
  const ended = run.finally(() => underWay.delete(ended));
  underWay.add(ended);
}

async function handle(request: WorkerRequest): Promise<void> {
  if (request.kind === 'work') {
    injector.isOn = request.faults;
    release = request.release;
    poller.start();
  } else if (request.kind === 'calm') {
    injector.isOn = false;
  } else if (request.kind === 'relay') {
    goesOn(relay(request.finds));
  } else if (request.kind === 'watch') {
    goesOn(watch(request.batch));
  } else {
    await poller.stop();
    await Promise.all(underWay);
    await injector.settle();
    tell();
    answer({ kind: 'paused', sample: await takeSample() });
  }
}

process.on('disconnect', () => process.exit(0));
process.on('message', (message) => {
  const request = message as WorkerRequest;
  handle(request).catch((error: unknown) =>
    answer({ kind: 'failed', request: request.kind, error: String(error) }),
  );
});
answer({ kind: 'ready' });

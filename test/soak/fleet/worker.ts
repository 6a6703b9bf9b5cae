/** Entry of a worker process: polls the queue and runs the handler, as an event source mapping and a function do together. */
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { SQSClient } from '@aws-sdk/client-sqs';
import { Random } from '../../../bench/cost/random.ts';
import { localIdentity } from '../../../lib/local/local-identity.ts';
import { FaultInjector } from '../faults/fault-injector.ts';
import { perMillion } from '../faults/fault-kinds.ts';
import { accountEndpoint } from '../subject/endpoint.ts';
import { leaking } from './leak.ts';
import { Poller } from './poller.ts';
import { takeSample } from './sample.ts';
import { Tally } from './tally.ts';
import { setupVariable, type WorkerAnswer, type WorkerRequest, type WorkerSetup } from './worker-protocol.ts';

const setup = JSON.parse(process.env[setupVariable] ?? '{}') as WorkerSetup;
const { resources, seed, rates, outbox, leak } = setup;
const { region, credentials } = localIdentity;

const random = new Random(seed);
const tally = new Tally();
const injector = new FaultInjector({
  random,
  rates,
  onFault: (service, kind) => tally.add(`fault ${service} ${kind}`),
  die: () => process.kill(process.pid, 'SIGKILL'),
});
const dynamoDBClient = new DynamoDBClient({ region, credentials, endpoint: resources.dynamoDBEndpoint });
const sqsClient = new SQSClient({ region, credentials, endpoint: resources.sqsEndpoint });
const pollingClient = new SQSClient({ region, credentials, endpoint: resources.sqsEndpoint });
injector.watch('DynamoDB', dynamoDBClient);
injector.watch('SQS', sqsClient);
injector.watch('SQS', pollingClient);

const { handler, recoveries } = accountEndpoint({
  resources,
  outbox,
  dynamoDBClient,
  sqsClient,
  tally,
  fails: () => injector.isOn && random.below(perMillion) < rates.handler,
});
const poller = new Poller({
  client: pollingClient,
  resources,
  handler: leak ? leaking(handler) : handler,
  tally,
  onBatch: tell,
});
const recovering = new Set<Promise<void>>();
let recoveryRuns = 0;

function answer(message: WorkerAnswer): void {
  process.send?.(message);
}

function tell(): void {
  answer({ kind: 'counted', counts: tally.take() });
}

async function recover(): Promise<void> {
  const run = recoveries[recoveryRuns++ % recoveries.length];
  try {
    const result = await run?.();
    tally.add('recovery runs');
    tally.add('recovered', result?.dispatched);
  } catch {
    // What it could not do under faults, another run does.
    tally.add('recovery runs that failed');
  }
}

async function handle(request: WorkerRequest): Promise<void> {
  if (request.kind === 'work') {
    injector.isOn = request.faults;
    poller.start();
  } else if (request.kind === 'calm') {
    injector.isOn = false;
  } else if (request.kind === 'recover') {
    const run = recover().finally(() => recovering.delete(run));
    recovering.add(run);
  } else {
    await poller.stop();
    await Promise.all(recovering);
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

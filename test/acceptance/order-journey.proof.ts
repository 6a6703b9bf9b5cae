import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { DynamoDBClient, ScanCommand } from '@aws-sdk/client-dynamodb';
import { PublishCommand, SNSClient } from '@aws-sdk/client-sns';
import { SQSClient } from '@aws-sdk/client-sqs';
import { afterEach, describe, expect, it } from '@jest/globals';
import { type FaultRule, type LocalApp, startLocalApp } from 'sagabox/local';
import { localAppFolder } from '../support/local-app-folder.ts';
import { depthOf } from '../support/received-records.ts';
import { waitUntil } from '../support/wait-until.ts';

const orderIds = ['order-1', 'order-2', 'order-3'];
const steps = ['archived 700000', 'audited', 'billed', 'charged', 'placed', 'reviewed'];

const inFolder = localAppFolder();
const release: (() => unknown)[] = [];

afterEach(async () => {
  for (const end of release.splice(0).reverse()) await end();
});

async function synthesize(): Promise<string> {
  const directory = inFolder('cdk.out');
  const app = join(import.meta.dirname, 'order-journey', 'app.ts');
  await promisify(execFile)(process.execPath, ['--conditions=sagabox-source', app], {
    env: { ...process.env, CDK_OUTDIR: directory },
  });
  return directory;
}

/** Functions that die: after a commit, after a dispatch, each way out once. */
const deaths: FaultRule[] = [
  {
    name: 'committed',
    kill: 'afterCall',
    matches: ({ operation }) => operation === 'TransactWriteItems',
    atCalls: [1, 5, 9],
  },
  {
    name: 'sent',
    kill: 'afterCall',
    matches: ({ operation }) => operation === 'SendMessageBatch',
    atCalls: [2],
  },
  { name: 'published', kill: 'afterCall', matches: ({ service }) => service === 'eventbridge', atCalls: [1] },
  { name: 'scheduled', kill: 'afterCall', matches: ({ service }) => service === 'scheduler', atCalls: [1] },
  { name: 'stored', kill: 'afterCall', matches: ({ service }) => service === 's3', atCalls: [1] },
];

async function startJourney() {
  const faults: string[] = [];
  const app = await startLocalApp({
    assemblyDirectory: await synthesize(),
    timeScale: 60,
    maxConcurrency: 1,
    redeliverAcknowledged: true,
    faults: deaths,
    onFault: ({ name }) => faults.push(name),
  });
  release.push(() => app.stop());
  const dynamoDB = new DynamoDBClient(app.clientConfig);
  const sqs = new SQSClient(app.clientConfig);
  const sns = new SNSClient(app.clientConfig);
  release.push(...[dynamoDB, sqs, sns].map((client) => () => client.destroy()));
  return { app, dynamoDB, sqs, sns, faults };
}

type Journey = Awaited<ReturnType<typeof startJourney>>;

async function place({ app, sns }: Journey, orderId: string): Promise<void> {
  const topic = app.resources.find(({ type }) => type === 'AWS::SNS::Topic');
  await sns.send(
    new PublishCommand({
      TopicArn: `arn:aws:sns:us-east-1:000000000000:${topic?.name}`,
      Message: JSON.stringify({ orderId }),
    }),
  );
}

async function ledgerOf({ dynamoDB }: Journey): Promise<Record<string, number>> {
  const { Items: items = [] } = await dynamoDB.send(
    new ScanCommand({ TableName: 'Journey-Ledger', ConsistentRead: true }),
  );
  return Object.fromEntries(items.map(({ step, times }) => [step?.S ?? '', Number(times?.N)]));
}

async function waitingMessages({ app, sqs }: Journey): Promise<number> {
  const queues = app.resources.filter(({ type }) => type === 'AWS::SQS::Queue');
  const depths = await Promise.all(queues.map(({ name }) => depthOf(sqs, app.queueUrl(name))));
  return depths.reduce((sum, { now }) => sum + now, app.runningInvocations());
}

const expected = (names: readonly string[]) =>
  Object.fromEntries(orderIds.flatMap((orderId) => names.map((name) => [`${orderId} ${name}`, 1])));

async function rest(journey: Journey, app: LocalApp): Promise<void> {
  await Promise.race([waitUntil(async () => (await waitingMessages(journey)) === 0), app.failed]);
}

describe('I1, I2, I3: an order that goes through a topic, an event bus, a FIFO queue, a timeout and a claim check', () => {
  it('takes each step exactly once, though functions die at each way out', async () => {
    const journey = await startJourney();
    const { app } = journey;
    await Promise.all(orderIds.map((orderId) => place(journey, orderId)));
    await waitUntil(async () => Object.keys(await ledgerOf(journey)).length === 4 * orderIds.length);
    await rest(journey, app);
    expect(await ledgerOf(journey)).toEqual(expected(['placed', 'billed', 'charged', 'audited']));
    expect(app.schedules()).toHaveLength(orderIds.length);

    app.advanceQueueClock(2 * 60 * 60);
    await waitUntil(
      async () => Object.keys(await ledgerOf(journey)).length === steps.length * orderIds.length,
    );
    await rest(journey, app);

    expect(await ledgerOf(journey)).toEqual(expected(steps));
    expect(app.schedules()).toEqual([]);
    expect(journey.faults.toSorted()).toEqual([
      'committed',
      'committed',
      'committed',
      'published',
      'scheduled',
      'sent',
      'stored',
    ]);
  });
});

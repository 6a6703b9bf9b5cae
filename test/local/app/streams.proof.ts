import { DescribeTableCommand, DynamoDBClient, PutItemCommand } from '@aws-sdk/client-dynamodb';
import { SQSClient } from '@aws-sdk/client-sqs';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import {
  type InvocationReport,
  type LocalApp,
  type LocalAppOptions,
  type ProxiedCall,
  startLocalApp,
} from 'sagabox/local';
import { clientAt } from '../../support/engines.ts';
import { localAppFolder } from '../../support/local-app-folder.ts';
import { isRunning } from '../../support/processes.ts';
import { waitUntil } from '../../support/wait-until.ts';
import { receive } from '../fixture-app.ts';
import { addWatcher, copyFixture, replaceHandler } from '../fixture-assembly.ts';

const temporary = localAppFolder();
const apps: LocalApp[] = [];
let invocations: InvocationReport[];
let calls: ProxiedCall[];

/** `watch` sends on what it gets; an item may ask it to fail, to die or to hang. `describe` reads its mapping. */
const code = `
  import { appendFileSync, existsSync } from 'node:fs';
  import { SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs';

  const sqs = new SQSClient();
  const { OUT, STREAM_ARN, MAPPING, AWS_ENDPOINT_URL_LAMBDA } = process.env;
  const seen = ${JSON.stringify(temporary('seen'))};

  export async function handler() {}

  export async function watch({ Records }) {
    const fates = Records.map(({ dynamodb }) => dynamodb.NewImage.fate?.S);
    if (fates.includes('hang')) await new Promise((resolve) => setTimeout(resolve, 600_000));
    if (fates.some(Boolean) && !existsSync(seen)) {
      appendFileSync(seen, '');
      if (fates.includes('die')) process.exit(1);
      throw new Error('once');
    }
    const body = JSON.stringify({ Records, STREAM_ARN });
    await sqs.send(new SendMessageCommand({ QueueUrl: OUT, MessageBody: body }));
  }

  export async function describe() {
    const authorization =
      'AWS4-HMAC-SHA256 Credential=local/20260101/us-east-1/lambda/aws4_request, Signature=0';
    const url = AWS_ENDPOINT_URL_LAMBDA + '/2015-03-31/event-source-mappings/' + MAPPING;
    return await (await fetch(url, { headers: { authorization } })).json();
  }`;

beforeEach(async () => {
  [invocations, calls] = [[], []];
  await copyFixture(temporary('assembly'));
  await replaceHandler(temporary('assembly'), 'watched', code);
});

afterEach(async () => {
  for (const app of apps.splice(0)) await app.stop();
});

async function startWatched(mapping: object = {}, options: Partial<LocalAppOptions> = {}) {
  await addWatcher(temporary('assembly'), mapping);
  const app = await startLocalApp({
    assemblyDirectory: temporary('assembly'),
    onInvocation: (report) => invocations.push(report),
    onCall: (call) => calls.push(call),
    ...options,
  });
  apps.push(app);
  const { endpoint } = app.clientConfig;
  const [sqs, dynamoDB] = [clientAt(SQSClient, endpoint), clientAt(DynamoDBClient, endpoint)];
  const TableName = app.resources.find(({ logicalId }) => logicalId === 'Ledger')?.name ?? '';
  return {
    app,
    put: async (PK: string, fate?: string): Promise<void> => {
      const Item = { PK: { S: PK }, SK: { S: 'S' }, ...(fate && { fate: { S: fate } }) };
      await dynamoDB.send(new PutItemCommand({ TableName, Item }));
    },
    /** What the watcher sent on. */
    watched: async () => {
      const [message] = await receive(app, sqs, 'Fixture-Out', 1);
      return JSON.parse(message?.Body ?? '{}');
    },
    streamArn: async () =>
      (await dynamoDB.send(new DescribeTableCommand({ TableName }))).Table?.LatestStreamArn,
  };
}

describe('a local app with a function on the stream of a table', () => {
  it('feeds it with the changes that its filter lets through', async () => {
    const { put, watched, streamArn } = await startWatched();
    await put('SAGA#1');
    await put('OUTBOX#1');
    const arn = await streamArn();
    const { Records: records, STREAM_ARN } = await watched();
    expect(STREAM_ARN).toBe(arn);
    expect(records).toEqual([expect.objectContaining({ eventName: 'INSERT', eventSourceARN: arn })]);
    expect(records[0].dynamodb.NewImage).toEqual({ PK: { S: 'OUTBOX#1' }, SK: { S: 'S' } });
  });

  it.each([
    ['fails', 'error'],
    ['die', 'died'],
  ])('hands a batch over again when the function %s', async (fate, kind) => {
    const { put, watched } = await startWatched({ BatchSize: 1 }, { timeScale: 60 });
    await put('OUTBOX#1', fate);
    await put('OUTBOX#2');
    const [first, second] = [await watched(), await watched()];
    const keys = [first, second].map(({ Records: [record] }) => record.dynamodb.Keys.PK.S);
    expect(keys).toEqual(['OUTBOX#1', 'OUTBOX#2']);
    await waitUntil(() => invocations.length === 3);
    expect(invocations.map(({ outcome }) => outcome.kind)).toEqual([kind, 'result', 'result']);
  });

  it('waits for a batching window that the clock of the queues jumps over', async () => {
    const { app, put, watched } = await startWatched({ MaximumBatchingWindowInSeconds: 300 });
    await put('OUTBOX#1');
    await put('OUTBOX#2');
    const jumps = setInterval(() => app.advanceQueueClock(300), 100);
    try {
      expect((await watched()).Records.length).toBeGreaterThan(0);
    } finally {
      clearInterval(jumps);
    }
  });

  it('describes the mapping to a function that asks Lambda for it', async () => {
    const { app, put, watched, streamArn } = await startWatched();
    await put('OUTBOX#1');
    await watched();
    await waitUntil(() => invocations.length === 1);
    const outcome = await app.invoke('Reader', {});
    expect(outcome).toEqual({
      kind: 'result',
      result: {
        UUID: 'Fixture-WatcherChanges',
        EventSourceArn: await streamArn(),
        FunctionArn: 'arn:aws:lambda:us-east-1:000000000000:function:Fixture-Watcher',
        StartingPosition: 'TRIM_HORIZON',
        State: 'Enabled',
        LastProcessingResult: 'OK',
      },
    });
    expect(calls.filter(({ service }) => service === 'lambda')).toEqual([
      expect.objectContaining({
        functionName: 'Fixture-Reader',
        operation: 'GetEventSourceMapping',
        request: { UUID: 'Fixture-WatcherChanges' },
      }),
    ]);
  });

  it('polls no mapping that is disabled, and says so', async () => {
    const { app, put } = await startWatched({ Enabled: false });
    await put('OUTBOX#1');
    const outcome = await app.invoke('Reader', {});
    expect(outcome).toMatchObject({ kind: 'result', result: { State: 'Disabled' } });
    expect(app.notRun).toContainEqual({
      stackName: 'Fixture',
      type: 'AWS::Lambda::EventSourceMapping',
      logicalIds: ['WatcherChanges'],
    });
    expect(invocations.map(({ functionName }) => functionName)).toEqual(['Fixture-Reader']);
  });

  it('finds its stream again when it is reloaded', async () => {
    const { app } = await startWatched();
    expect(await app.reload()).toEqual({ replaced: [], needRestart: [] });
  });

  it('refuses to start with a filter that it does not play', async () => {
    const FilterCriteria = { Filters: [{ Pattern: '{"eventName":[{"cidr":"10.0.0.0/24"}]}' }] };
    await expect(startWatched({ FilterCriteria })).rejects.toMatchObject({
      code: 'Configuration',
      message: expect.stringContaining('WatcherChanges'),
    });
  });

  it('leaves nothing behind when it is stopped in the middle of a batch', async () => {
    const { app, put } = await startWatched();
    await put('OUTBOX#1', 'hang');
    await waitUntil(() => app.runningInvocations() === 1 && app.processIds().length === 1);
    const processIds = app.processIds();
    await app.stop();
    expect(app.runningInvocations()).toBe(0);
    expect(processIds.filter(isRunning)).toEqual([]);
  });
});

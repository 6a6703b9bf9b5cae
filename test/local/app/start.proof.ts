import { DynamoDBClient, GetItemCommand, ListTablesCommand } from '@aws-sdk/client-dynamodb';
import { SQSClient } from '@aws-sdk/client-sqs';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { LocalAppOptions, OutputLine } from '../../../lib/local/app/options.ts';
import { type LocalApp, startLocalApp } from '../../../lib/local/app/start.ts';
import type { InvocationReport } from '../../../lib/local/lambda/event-source.ts';
import type { FaultRule } from '../../../lib/local/proxy/faults.ts';
import { clientAt } from '../../support/engines.ts';
import { isListening, isRunning } from '../../support/processes.ts';
import { waitUntil } from '../../support/wait-until.ts';
import { fixtureAssembly, messagesIn, receive, sendWork } from '../fixture-app.ts';

const apps: LocalApp[] = [];
let invocations: InvocationReport[];

beforeEach(() => {
  process.env.SAGABOX_DYNAMODB_ENDPOINT = process.env.SAGABOX_TEST_DYNAMODB_ENDPOINT;
  invocations = [];
});

afterEach(async () => {
  delete process.env.SAGABOX_DYNAMODB_ENDPOINT;
  for (const app of apps.splice(0)) await app.stop();
});

async function startFixture(options: Partial<LocalAppOptions> = {}) {
  const app = await startLocalApp({
    assemblyDirectory: fixtureAssembly,
    timeScale: 120,
    maxConcurrency: 1,
    onInvocation: (report) => invocations.push(report),
    ...options,
  });
  apps.push(app);
  const sqs = clientAt(SQSClient, app.clientConfig.endpoint);
  return { app, sqs, dynamoDB: clientAt(DynamoDBClient, app.endpoints.dynamodb) };
}

async function timesCounted(dynamoDB: DynamoDBClient, id: string): Promise<number> {
  const { Item: item } = await dynamoDB.send(
    new GetItemCommand({
      TableName: 'Fixture-Ledger',
      Key: { PK: { S: id }, SK: { S: 'COUNT' } },
      ConsistentRead: true,
    }),
  );
  return Number(item?.deliveries?.N ?? 0);
}

function settled(app: LocalApp, sqs: SQSClient): Promise<void> {
  return waitUntil(async () => (await messagesIn(app, sqs, 'Fixture-Work')) === 0);
}

function fault(kill: FaultRule['kill'], operation: string): FaultRule {
  return { name: 'fault', kill, matches: (call) => call.operation === operation, atCalls: [1] };
}

describe('a local app', () => {
  it('invokes the function with the message as Lambda gives it, and acknowledges it', async () => {
    const { app, sqs } = await startFixture();
    await sendWork(app, sqs, 'a', 'succeed');
    const [message] = await receive(app, sqs, 'Fixture-Out', 1);
    const seen = JSON.parse(message?.Body ?? '{}');
    expect(seen).toMatchObject({ id: 'a', functionName: 'Fixture-Echo' });
    expect(seen.remainingMs).toBeGreaterThan(0);
    expect(seen.remainingMs).toBeLessThanOrEqual(2_000);
    expect(seen.record).toEqual({
      messageId: expect.any(String),
      receiptHandle: expect.any(String),
      body: '{"id":"a","fate":"succeed"}',
      attributes: expect.objectContaining({
        ApproximateReceiveCount: '1',
        SentTimestamp: expect.stringMatching(/^\d+$/),
      }),
      messageAttributes: {
        Kind: { stringValue: 'work', stringListValues: [], binaryListValues: [], dataType: 'String' },
      },
      md5OfBody: expect.stringMatching(/^[0-9a-f]{32}$/),
      md5OfMessageAttributes: expect.any(String),
      eventSource: 'aws:sqs',
      eventSourceARN: 'arn:aws:sqs:us-east-1:000000000000:Fixture-Work',
      awsRegion: 'us-east-1',
    });
    await settled(app, sqs);
    expect(app.capacity()).toEqual({
      calls: 1,
      readUnits: 0,
      writeUnits: 1,
      refusedWriteUnits: 0,
      unreportedCalls: 0,
    });
  });

  it('hands over what an instance writes', async () => {
    const lines: OutputLine[] = [];
    const { app, sqs } = await startFixture({ onOutput: (output) => lines.push(output) });
    await sendWork(app, sqs, 'a', 'succeed');
    await waitUntil(() => lines.length > 0);
    expect(lines).toEqual([
      { functionName: 'Fixture-Echo', instanceId: 'Fixture-Echo-1', line: 'handled a', kind: 'log' },
    ]);
  });

  it('lets a failed message come back until it is moved to the dead-letter queue', async () => {
    const { app, sqs, dynamoDB } = await startFixture();
    await sendWork(app, sqs, 'a', 'fail');
    const [dead] = await receive(app, sqs, 'Fixture-Dead', 1);
    expect(JSON.parse(dead?.Body ?? '{}')).toEqual({ id: 'a', fate: 'fail' });
    expect(await timesCounted(dynamoDB, 'a')).toBe(3);
    expect(invocations.map(({ records }) => records[0]?.attributes.ApproximateReceiveCount)).toEqual([
      '1',
      '2',
      '3',
    ]);
  });

  it('delivers the whole batch again when its instance dies', async () => {
    const { app, sqs } = await startFixture();
    await sendWork(app, sqs, 'a', 'die');
    await receive(app, sqs, 'Fixture-Dead', 1);
    expect(invocations.map(({ outcome }) => outcome.kind)).toEqual(['died', 'died', 'died']);
  });

  it('kills an instance at the timeout of its function', async () => {
    const { app, sqs } = await startFixture();
    await sendWork(app, sqs, 'a', 'hang');
    await waitUntil(() => invocations.length > 0);
    expect(invocations[0]?.outcome).toEqual({
      kind: 'timedOut',
      error: { errorType: 'Sandbox.Timedout', errorMessage: 'Task timed out after 2 seconds' },
    });
  });

  it.each([
    ['before the engine sees its call', 'beforeCall', 0],
    ['after the engine has done its call', 'afterCall', 1],
  ] as const)('kills an instance %s, and delivers its message again', async (_when, kill, counted) => {
    const { app, sqs, dynamoDB } = await startFixture({ faults: [fault(kill, 'UpdateItem')] });
    await sendWork(app, sqs, 'a', 'succeed');
    await waitUntil(() => invocations.length === 1);
    expect(await timesCounted(dynamoDB, 'a')).toBe(counted);
    await settled(app, sqs);
    expect(await timesCounted(dynamoDB, 'a')).toBe(counted + 1);
  });

  it('delivers every acknowledged message once more when it is told to', async () => {
    const { app, sqs, dynamoDB } = await startFixture({ redeliverAcknowledged: true });
    await sendWork(app, sqs, 'a', 'succeed');
    await receive(app, sqs, 'Fixture-Out', 2);
    await settled(app, sqs);
    expect(await timesCounted(dynamoDB, 'a')).toBe(2);
  });

  it('leaves nothing behind when it is stopped in the middle of an invocation', async () => {
    const { app, sqs, dynamoDB } = await startFixture();
    await sendWork(app, sqs, 'a', 'hang');
    await waitUntil(() => app.runningInvocations() === 1 && app.processIds().length === 1);
    const processIds = app.processIds();
    await app.stop();
    expect(processIds.filter(isRunning)).toEqual([]);
    expect(await isListening(app.endpoints.sqs)).toBe(false);
    expect(await isListening(app.clientConfig.endpoint)).toBe(false);
    const { TableNames: tableNames } = await dynamoDB.send(new ListTablesCommand());
    expect(tableNames).not.toContain('Fixture-Ledger');
  });

  it('needs a cloud assembly', async () => {
    await expect(startLocalApp({ assemblyDirectory: import.meta.dirname })).rejects.toMatchObject({
      code: 'Configuration',
      message: expect.stringContaining('cdk synth'),
    });
  });
});

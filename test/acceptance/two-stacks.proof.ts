import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { CloudFormationClient } from '@aws-sdk/client-cloudformation';
import { DynamoDBClient, ScanCommand } from '@aws-sdk/client-dynamodb';
import { PublishCommand, SNSClient } from '@aws-sdk/client-sns';
import { afterEach, describe, expect, it } from '@jest/globals';
import { type InvocationReport, type LocalApp, type OutputLine, startLocalApp } from 'sagabox/local';
import { readDeployedEndpoint } from '../../lib/cli/deployed/deployed-endpoint.ts';
import { clientAt } from '../support/engines.ts';
import { localAppFolder } from '../support/local-app-folder.ts';
import { waitUntil } from '../support/wait-until.ts';

const inFolder = localAppFolder();
let app: LocalApp | undefined;
let output: OutputLine[];
let invocations: InvocationReport[];

afterEach(() => app?.stop());

async function startTwoStacks(): Promise<LocalApp> {
  const assemblyDirectory = inFolder('cdk.out');
  const entry = join(import.meta.dirname, 'two-stacks', 'app.ts');
  await promisify(execFile)(process.execPath, ['--conditions=sagabox-source', entry], {
    env: { ...process.env, CDK_OUTDIR: assemblyDirectory },
  });
  [output, invocations] = [[], []];
  app = await startLocalApp({
    assemblyDirectory,
    timeScale: 60,
    redeliverAcknowledged: true,
    onOutput: (line) => output.push(line),
    onInvocation: (report) => invocations.push(report),
  });
  return app;
}

function nameOf({ resources }: LocalApp, type: string, prefix: string): string {
  const [found, ...others] = resources.filter((one) => one.type === type && one.logicalId.startsWith(prefix));
  expect(others).toEqual([]);
  return found?.name ?? '';
}

async function stepsOf(dynamoDB: DynamoDBClient, tableName: string): Promise<Record<string, number>> {
  const { Items: items = [] } = await dynamoDB.send(
    new ScanCommand({ TableName: tableName, ConsistentRead: true }),
  );
  return Object.fromEntries(items.map(({ step, times }) => [step?.S ?? '', Number(times?.N)]));
}

/** The endpoints that a line of metrics tells of. */
function endpointsOf(metricName: string): Set<string> {
  const metrics = output.filter(({ kind }) => kind === 'metrics').map(({ line }) => JSON.parse(line));
  return new Set(metrics.filter((line) => metricName in line).map(({ endpoint }) => endpoint));
}

describe('I2, I3: an app whose functions use tables, a topic, a bus and a queue of another stack', () => {
  it('takes each step exactly once, with destinations that are kept in parameters', async () => {
    const running = await startTwoStacks();
    const dynamoDB = clientAt(DynamoDBClient, running.clientConfig.endpoint);
    const sns = clientAt(SNSClient, running.clientConfig.endpoint);
    const ledger = nameOf(running, 'AWS::DynamoDB::Table', 'Ledger');
    const topic = nameOf(running, 'AWS::SNS::Topic', 'Placed');
    const steps = (): Promise<Record<string, number>> => stepsOf(dynamoDB, ledger);
    const reached = (count: number): Promise<unknown> =>
      Promise.race([waitUntil(async () => Object.keys(await steps()).length === count), running.failed]);

    await sns.send(
      new PublishCommand({
        TopicArn: `arn:aws:sns:us-east-1:000000000000:${topic}`,
        Message: JSON.stringify({ orderId: 'order-1' }),
      }),
    );
    await reached(4);
    await waitUntil(() => running.schedules().length === 1);
    running.advanceQueueClock(2 * 60 * 60);
    await reached(6);

    const expected = ['archived 700000', 'audited', 'billed', 'charged', 'placed', 'reviewed'];
    expect(await steps()).toEqual(Object.fromEntries(expected.map((step) => [`order-1 ${step}`, 1])));
    const stacksOf = (type: string): string[] =>
      running.resources.filter((one) => one.type === type).map(({ stack }) => stack.name);
    expect(stacksOf('AWS::Lambda::Function').toSorted()).toEqual([
      ...['Base', 'Base'],
      // The last one watches the stream for the relay.
      ...['Shop', 'Shop', 'Shop', 'Shop'],
    ]);
    const cloudFormation = clientAt(CloudFormationClient, running.clientConfig.endpoint);
    expect(await readDeployedEndpoint(cloudFormation, 'Shop', 'orders')).toMatchObject({
      queueUrl: running.queueUrl('orders'),
      environment: { SAGABOX_SAGA_TABLE: nameOf(running, 'AWS::DynamoDB::Table', 'Sagas') },
    });
    const runs = () => invocations.filter(({ functionName }) => functionName.startsWith('Shop-Relay'));
    await waitUntil(() => runs().length > 0);
    expect(runs()[0]?.outcome.kind).toBe('result');
    await waitUntil(() => endpointsOf('RecordsUndispatched').size === 2);
    expect(endpointsOf('RecordsUndispatched')).toEqual(new Set(['orders', 'billing']));
    expect(endpointsOf('MessagesHandled')).toEqual(new Set(['orders', 'billing']));
    // Of the orders, and of the relay that sends for them.
    const settings = running.resources.filter(({ type }) => type === 'AWS::SSM::Parameter');
    const parts = ['000', '001', '002'].map((part) => `SAGABOX_DESTINATIONS/${part}`);
    expect(settings.map(({ name }) => name.replace(/^.*\/(\w+)\/[0-9a-f]{12}\//, '$1/'))).toEqual([
      ...parts,
      ...parts,
    ]);
    expect(new Set(running.notRun.map(({ stackName }) => stackName))).toEqual(new Set(['Base', 'Shop']));
    expect(new Set(running.notRun.map(({ type }) => type))).toEqual(
      new Set([
        'AWS::CloudWatch::Alarm',
        'AWS::CloudWatch::Dashboard',
        'AWS::IAM::Policy',
        'AWS::IAM::Role',
        'AWS::Lambda::Alias',
        'AWS::Lambda::EventInvokeConfig',
        'AWS::Lambda::Permission',
        'AWS::Lambda::Version',
        'AWS::Logs::LogGroup',
        'AWS::S3::BucketPolicy',
        'AWS::SQS::QueuePolicy',
      ]),
    );
    expect(JSON.stringify(running.resources.map(({ properties }) => properties))).not.toContain(
      'not-run-locally',
    );
  });
});

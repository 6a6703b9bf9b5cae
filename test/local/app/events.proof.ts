import { join } from 'node:path';
import { PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { CreateScheduleCommand, SchedulerClient } from '@aws-sdk/client-scheduler';
import { PublishCommand, SNSClient } from '@aws-sdk/client-sns';
import { SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { type InvocationReport, type LocalApp, type ProxiedCall, startLocalApp } from 'sagabox/local';
import { clientAt } from '../../support/engines.ts';
import { scheduleRoleArn } from '../../support/event-resources.ts';
import { isListening } from '../../support/processes.ts';
import { waitUntil } from '../../support/wait-until.ts';
import { messagesIn, receive } from '../fixture-app.ts';

const assemblyDirectory = join(import.meta.dirname, '..', 'fixtures', 'shop');
const order = JSON.stringify({ orderId: '1', note: 'ä'.repeat(1_000) });
let app: LocalApp;
let invocations: InvocationReport[];
let calls: ProxiedCall[];
let clients: { sqs: SQSClient; sns: SNSClient; s3: S3Client; scheduler: SchedulerClient };

beforeEach(async () => {
  process.env.SAGABOX_DYNAMODB_ENDPOINT = process.env.SAGABOX_TEST_DYNAMODB_ENDPOINT;
  [invocations, calls] = [[], []];
  const observe = (call: ProxiedCall): boolean => {
    calls.push(call);
    return false;
  };
  app = await startLocalApp({
    assemblyDirectory,
    onInvocation: (report) => invocations.push(report),
    faults: [{ name: 'observer', kill: 'beforeCall', matches: observe, atCalls: [] }],
  });
  clients = {
    sqs: clientAt(SQSClient, app.clientConfig.endpoint),
    sns: clientAt(SNSClient, app.clientConfig.endpoint),
    s3: clientAt(S3Client, app.clientConfig.endpoint),
    scheduler: clientAt(SchedulerClient, app.clientConfig.endpoint),
  };
});

afterEach(async () => {
  delete process.env.SAGABOX_DYNAMODB_ENDPOINT;
  await app.stop();
});

async function placeOrder(key: string, kind: string): Promise<void> {
  await clients.s3.send(new PutObjectCommand({ Bucket: app.outputs.Bucket, Key: key, Body: order }));
  await clients.sns.send(
    new PublishCommand({
      TopicArn: app.outputs.Topic,
      Message: JSON.stringify({ key }),
      MessageAttributes: { Kind: { DataType: 'String', StringValue: kind } },
    }),
  );
}

describe('a local app with topics, buckets, event buses and schedules', () => {
  it('carries an order through all of them', async () => {
    await placeOrder('ignored', 'other');
    await placeOrder('order-1', 'order');
    const [announced] = await receive(app, clients.sqs, 'Shop-Audit', 1);
    expect(JSON.parse(announced?.Body ?? '{}')).toMatchObject({
      source: 'shop',
      'detail-type': 'OrderPlaced',
      detail: JSON.parse(order),
    });
    await waitUntil(async () => (await messagesIn(app, clients.sqs, 'Shop-Orders')) === 0);
    const [schedule, ...others] = app.schedules();
    expect(others).toEqual([]);
    expect(schedule).toMatchObject({
      name: 'ship-order-1',
      groupName: 'Shop-Timeouts',
      dueInSeconds: expect.closeTo(7_200, -2),
    });
    expect(() => app.advanceQueueClock(Number.NaN)).toThrow('NaN is not a number of seconds');
    app.advanceQueueClock(7_000);
    expect(app.schedules()).toHaveLength(1);
    expect(await messagesIn(app, clients.sqs, 'Shop-Shipments.fifo')).toBe(0);
    app.advanceQueueClock(200);
    const [shipped] = await receive(app, clients.sqs, 'Shop-Shipments.fifo', 1);
    expect(shipped?.Body).toBe(order);
    expect(shipped?.Attributes).toMatchObject({
      MessageGroupId: 'shipments',
      MessageDeduplicationId: 'order-1',
    });
    expect(app.schedules()).toEqual([]);
    const made = calls.filter(({ functionName }) => functionName === 'Shop-Relay');
    expect(made.map(({ service, operation }) => `${service} ${operation}`)).toEqual([
      's3 GetObject',
      'eventbridge PutEvents',
      'scheduler CreateSchedule',
    ]);
  });

  it('invokes a function at the rate of a rule, once for a jump of the clock', async () => {
    app.advanceQueueClock(290);
    expect(app.runningInvocations()).toBe(0);
    app.advanceQueueClock(10);
    expect(app.runningInvocations()).toBe(1);
    const [first] = await receive(app, clients.sqs, 'Shop-Recovered', 1);
    expect(JSON.parse(first?.Body ?? '{}')).toMatchObject({
      source: 'aws.events',
      'detail-type': 'Scheduled Event',
      resources: ['arn:aws:events:us-east-1:000000000000:rule/Shop-Often'],
      detail: {},
    });
    await waitUntil(() => invocations.length === 1);
    expect(invocations[0]).toEqual({
      functionName: 'Shop-Recover',
      records: [],
      outcome: { kind: 'result', result: null },
      acknowledgedMessageIds: [],
    });
    app.advanceQueueClock(3_600);
    await receive(app, clients.sqs, 'Shop-Recovered', 1);
    await waitUntil(() => app.runningInvocations() === 0);
    expect(invocations).toHaveLength(2);
  });

  it('gives queue URLs that clients use without an endpoint, and the same ones by name', async () => {
    const { region, credentials } = app.clientConfig;
    const logger = { debug() {}, info() {}, warn() {}, error() {} };
    const client = new SQSClient({ region, credentials, logger });
    const QueueUrl = app.outputs.RecoveredUrl ?? '';
    await client.send(new SendMessageCommand({ QueueUrl, MessageBody: 'from outside' }));
    client.destroy();
    const [message] = await receive(app, clients.sqs, 'Recovered', 1);
    expect(message?.Body).toBe('from outside');
    expect(app.queueUrl('Shop-Recovered')).toBe(QueueUrl);
  });

  it('refuses the URL of a queue that it does not have', () => {
    expect(() => app.queueUrl('Recoverd')).toThrow(
      expect.objectContaining({ code: 'Configuration', message: expect.stringContaining('Shop-Recovered') }),
    );
  });

  it('names what it does not run', () => {
    expect(app.notRun).toEqual([
      { stackName: 'Shop', type: 'AWS::IAM::Role', logicalIds: ['TimeoutsRole'] },
      { stackName: 'Shop', type: 'AWS::SNS::Subscription', logicalIds: ['PlacedToMail'] },
      { stackName: 'Shop', type: 'AWS::Events::Rule', logicalIds: ['Nightly'] },
    ]);
  });

  it('fails when a schedule sends to a queue that is not there', async () => {
    const input = { QueueUrl: `${app.endpoints.sqs}/000000000000/no-such-queue`, MessageBody: 'late' };
    await clients.scheduler.send(
      new CreateScheduleCommand({
        Name: 'lost',
        ScheduleExpression: 'at(2020-01-01T00:00:00)',
        FlexibleTimeWindow: { Mode: 'OFF' },
        Target: {
          Arn: 'arn:aws:scheduler:::aws-sdk:sqs:sendMessage',
          RoleArn: scheduleRoleArn,
          Input: JSON.stringify(input),
        },
      }),
    );
    await expect(app.failed).rejects.toMatchObject({
      code: 'Configuration',
      message: expect.stringContaining('no-such-queue'),
    });
  });

  it('leaves nothing behind when it is stopped while a rule runs and a schedule waits', async () => {
    app.advanceQueueClock(300);
    await waitUntil(() => app.processIds().length > 0);
    await app.stop();
    expect(app.runningInvocations()).toBe(0);
    const { sqs, eventbridge, scheduler } = app.endpoints;
    const endpoints = [app.clientConfig.endpoint, sqs, eventbridge, scheduler];
    expect(await Promise.all(endpoints.map(isListening))).toEqual(endpoints.map(() => false));
  });
});

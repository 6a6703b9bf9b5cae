import { randomBytes, randomUUID } from 'node:crypto';
import { DynamoDBClient, ListTablesCommand } from '@aws-sdk/client-dynamodb';
import { EventBridgeClient, PutEventsCommand } from '@aws-sdk/client-eventbridge';
import {
  GetObjectCommand,
  HeadObjectCommand,
  ListObjectsV2Command,
  NoSuchKey,
  PutObjectCommand,
  S3Client,
} from '@aws-sdk/client-s3';
import { GetScheduleCommand, ResourceNotFoundException, SchedulerClient } from '@aws-sdk/client-scheduler';
import { NotFoundException, PublishCommand, SNSClient } from '@aws-sdk/client-sns';
import { SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { type FaultProxy, startFaultProxy } from '../../../lib/local/proxy/fault-proxy.ts';
import type { FaultRule } from '../../../lib/local/proxy/faults.ts';
import type { ProxiedCall } from '../../../lib/local/proxy/proxied-call.ts';
import { clientAt, createQueue } from '../../support/engines.ts';
import { createBucket, createTopic, subscribeQueue } from '../../support/event-resources.ts';
import { receiveMessages } from '../../support/received-records.ts';

const sqsEndpoint = process.env.SAGABOX_TEST_SQS_ENDPOINT ?? '';
const eventsEndpoint = process.env.SAGABOX_TEST_EVENTS_ENDPOINT ?? '';
let proxy: FaultProxy;
let calls: ProxiedCall[];
let killed: string[];
let clients: ReturnType<typeof clientsOf>;

beforeEach(async () => {
  calls = [];
  killed = [];
  await startProxy([]);
});

afterEach(() => proxy.stop());

async function startProxy(faults: readonly FaultRule[]): Promise<void> {
  proxy = await startFaultProxy({
    engines: {
      dynamodb: process.env.SAGABOX_TEST_DYNAMODB_ENDPOINT ?? '',
      sqs: sqsEndpoint,
      sns: sqsEndpoint,
      s3: sqsEndpoint,
      eventbridge: eventsEndpoint,
      scheduler: eventsEndpoint,
      lambda: eventsEndpoint,
    },
    faults,
    onAnswer: (call) => calls.push(call),
    onFault: () => undefined,
  });
  const kill = () => killed.push('instance-1');
  clients = clientsOf(proxy.admit({ id: 'instance-1', functionName: 'Function', kill }));
}

function clientsOf(endpoints: Record<ProxiedCall['service'], string>) {
  const once = { maxAttempts: 1 };
  return {
    dynamoDB: clientAt(DynamoDBClient, endpoints.dynamodb, once),
    sqs: clientAt(SQSClient, endpoints.sqs, once),
    sns: clientAt(SNSClient, endpoints.sns, once),
    s3: clientAt(S3Client, endpoints.s3, once),
    eventBridge: clientAt(EventBridgeClient, endpoints.eventbridge, once),
    scheduler: clientAt(SchedulerClient, endpoints.scheduler, once),
  };
}

function operations(): string[] {
  return calls.map(({ service, operation }) => `${service} ${operation}`);
}

describe('the proxy between instances and engines', () => {
  it('forwards the JSON protocols', async () => {
    const queueUrl = await createQueue();
    await clients.sqs.send(new SendMessageCommand({ QueueUrl: queueUrl, MessageBody: 'hello' }));
    await clients.dynamoDB.send(new ListTablesCommand());
    const entry = { Source: 'a', DetailType: 'b', Detail: '{}' };
    await clients.eventBridge.send(new PutEventsCommand({ Entries: [entry] }));
    expect(operations()).toEqual(['sqs SendMessage', 'dynamodb ListTables', 'eventbridge PutEvents']);
    expect(calls[2]?.request).toEqual({ Entries: [entry] });
  });

  it('forwards the forms of SNS, and its answers and errors', async () => {
    const [topicArn, queueUrl] = [await createTopic(), await createQueue()];
    await subscribeQueue(topicArn, queueUrl, { RawMessageDelivery: 'true' });
    const body = 'ä & b = c + 100 %';
    const { MessageId: id } = await clients.sns.send(
      new PublishCommand({ TopicArn: topicArn, Message: body }),
    );
    expect(id).toEqual(expect.any(String));
    const unknown = new PublishCommand({ TopicArn: `${topicArn}-unknown`, Message: body });
    await expect(clients.sns.send(unknown)).rejects.toThrow(NotFoundException);
    expect(await receiveMessages(clients.sqs, queueUrl)).toMatchObject([{ Body: body }]);
    expect(calls[0]).toMatchObject({ operation: 'Publish', request: { TopicArn: topicArn, Message: body } });
  });

  it('forwards binary bodies of S3, byte by byte, with path and query', async () => {
    const bucket = await createBucket();
    const object = { Bucket: bucket, Key: 'claims/a b+ä' };
    const bytes = randomBytes(300_000);
    await clients.s3.send(new PutObjectCommand({ ...object, Body: bytes, Metadata: { kind: 'claim' } }));
    const { Body: body, Metadata: metadata } = await clients.s3.send(new GetObjectCommand(object));
    expect(Buffer.from((await body?.transformToByteArray()) ?? []).equals(bytes)).toBe(true);
    expect(metadata).toEqual({ kind: 'claim' });
    const list = await clients.s3.send(new ListObjectsV2Command({ Bucket: bucket, Prefix: 'claims/' }));
    expect(list.Contents?.map(({ Key: key }) => key)).toEqual([object.Key]);
    expect(calls[0]).toMatchObject({ service: 's3', operation: 'PutObject', request: object });
    expect(calls[1]).toMatchObject({ service: 's3', operation: 'GetObject', request: object });
  });

  it('keeps the length of an object whose head is asked for, and the error of one that is not there', async () => {
    const object = { Bucket: await createBucket(), Key: 'key' };
    await clients.s3.send(new PutObjectCommand({ ...object, Body: '12345' }));
    const { ContentLength: length } = await clients.s3.send(new HeadObjectCommand(object));
    expect(length).toBe(5);
    await expect(clients.s3.send(new GetObjectCommand({ ...object, Key: 'other' }))).rejects.toThrow(
      NoSuchKey,
    );
    expect(operations()).toEqual(['s3 PutObject', 's3 HeadObject', 's3 GetObject']);
  });

  it('forwards the paths of the scheduler', async () => {
    const name = `test-${randomUUID()}`;
    await expect(
      clients.scheduler.send(new GetScheduleCommand({ Name: name, GroupName: 'default' })),
    ).rejects.toThrow(ResourceNotFoundException);
    expect(calls[0]).toMatchObject({
      service: 'scheduler',
      operation: 'GetSchedule',
      request: { Name: name, GroupName: 'default' },
    });
  });

  it('kills an instance around a call in any protocol, and lets nothing of it through any more', async () => {
    await proxy.stop();
    const matches = ({ service, operation }: ProxiedCall): boolean =>
      service === 's3' && operation === 'PutObject';
    await startProxy([{ name: 'claim', kill: 'beforeCall', matches, atCalls: [1] }]);
    const object = { Bucket: await createBucket(), Key: 'key' };
    await expect(clients.s3.send(new PutObjectCommand({ ...object, Body: 'a' }))).rejects.toThrow();
    expect(killed).toEqual(['instance-1']);
    await expect(clients.s3.send(new PutObjectCommand({ ...object, Body: 'a' }))).rejects.toThrow();
    expect(calls).toEqual([]);
  });
});

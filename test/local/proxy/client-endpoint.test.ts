import { randomUUID } from 'node:crypto';
import {
  CloudFormationClient,
  DeleteStackCommand,
  DescribeStacksCommand,
} from '@aws-sdk/client-cloudformation';
import { DynamoDBClient, ListTablesCommand } from '@aws-sdk/client-dynamodb';
import { EventBridgeClient, PutEventsCommand } from '@aws-sdk/client-eventbridge';
import { GetObjectCommand, PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { GetScheduleCommand, SchedulerClient } from '@aws-sdk/client-scheduler';
import { PublishCommand, SNSClient } from '@aws-sdk/client-sns';
import { GetQueueUrlCommand, SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { SagaboxError } from '../../../lib/kernel/errors/errors.ts';
import type { RunningEngine } from '../../../lib/local/engines/running-engine.ts';
import type { InvocationOutcome } from '../../../lib/local/lambda/function-instance.ts';
import type { MappingDescription } from '../../../lib/local/lambda/mapping-description.ts';
import { startClientEndpoint } from '../../../lib/local/proxy/client-endpoint.ts';
import { clientAt, createQueue, createTable } from '../../support/engines.ts';
import { createBucket, createTopic, subscribeQueue } from '../../support/event-resources.ts';
import { isListening } from '../../support/processes.ts';
import { receiveMessages } from '../../support/received-records.ts';

const {
  SAGABOX_TEST_DYNAMODB_ENDPOINT: dynamodb = '',
  SAGABOX_TEST_SQS_ENDPOINT: sqs = '',
  SAGABOX_TEST_EVENTS_ENDPOINT: events = '',
} = process.env;
const engines = { dynamodb, sqs, sns: sqs, s3: sqs, eventbridge: events, scheduler: events };
let server: RunningEngine;

const start = (port: number): Promise<RunningEngine> =>
  startClientEndpoint({
    ...{ engines, port, stackOutputs: () => stacks },
    lambda: {
      invoke: async (name, event) => invoke(name, event),
      mapping: (uuid) => (uuid === described.UUID ? described : undefined),
    },
  });

const stacks = new Map([
  ['Shop', { Url: 'http://a/?b=1&c=<2>' }],
  ['Data', {}],
]);

const described: MappingDescription = {
  UUID: 'Shop-Watch',
  EventSourceArn: 'arn:aws:dynamodb:us-east-1:000000000000:table/Shop-Orders/stream/1',
  FunctionArn: 'arn:aws:lambda:us-east-1:000000000000:function:Shop-Watcher',
  StartingPosition: 'TRIM_HORIZON',
  State: 'Enabled',
  LastProcessingResult: 'OK',
};

const bug = { errorType: 'SagaboxError', errorMessage: 'a bug', trace: ['SagaboxError: a bug', 'at x'] };

function invoke(name: string, event: unknown): InvocationOutcome {
  if (name === 'missing') throw new SagaboxError('Configuration', { setting: name, problem: '', remedy: '' });
  if (name === 'broken') return { kind: 'error', error: bug };
  return { kind: 'result', result: { name, event } };
}

beforeEach(async () => {
  server = await start(0);
});

afterEach(() => server.stop());

const signed = {
  authorization: 'AWS4-HMAC-SHA256 Credential=local/20260101/us-east-1/lambda/aws4_request, Signature=0',
};
const invocationsOf = (name: string): string =>
  `${server.endpoint}/2015-03-31/functions/${encodeURIComponent(name)}/invocations`;

describe('the one address of all services', () => {
  it('takes DynamoDB to its engine', async () => {
    const tableName = await createTable();
    const { TableNames: names } = await clientAt(DynamoDBClient, server.endpoint).send(
      new ListTablesCommand({ ExclusiveStartTableName: tableName.slice(0, -1), Limit: 1 }),
    );
    expect(names).toEqual([tableName]);
  });

  it('takes SQS and SNS to theirs', async () => {
    const queueUrl = await createQueue();
    const topicArn = await createTopic();
    await subscribeQueue(topicArn, queueUrl);
    const sqsClient = clientAt(SQSClient, server.endpoint);
    await sqsClient.send(new SendMessageCommand({ QueueUrl: queueUrl, MessageBody: 'sent' }));
    await clientAt(SNSClient, server.endpoint).send(
      new PublishCommand({ TopicArn: topicArn, Message: 'published' }),
    );
    const bodies = (await receiveMessages(sqsClient, queueUrl)).map(({ Body }) => Body);
    expect(bodies).toEqual(['sent', expect.stringContaining('published')]);
  });

  it('takes S3 to its engine, with presigned URLs', async () => {
    const Bucket = await createBucket();
    const s3 = clientAt(S3Client, server.endpoint);
    await s3.send(new PutObjectCommand({ Bucket, Key: 'a/b', Body: 'large 😀' }));
    const { Body: body } = await s3.send(new GetObjectCommand({ Bucket, Key: 'a/b' }));
    expect(await body?.transformToString()).toBe('large 😀');
    const scope = 'X-Amz-Credential=local%2F20260101%2Fus-east-1%2Fs3%2Faws4_request';
    expect(await (await fetch(`${server.endpoint}/${Bucket}/a/b?${scope}`)).text()).toBe('large 😀');
  });

  it('takes EventBridge and its Scheduler to theirs', async () => {
    const bus = `missing-${randomUUID()}`;
    const { FailedEntryCount: failures } = await clientAt(EventBridgeClient, server.endpoint).send(
      new PutEventsCommand({ Entries: [{ EventBusName: bus, Source: 's', DetailType: 't', Detail: '{}' }] }),
    );
    expect(failures).toBe(1);
    const missing = new GetScheduleCommand({ Name: bus });
    await expect(clientAt(SchedulerClient, server.endpoint).send(missing)).rejects.toMatchObject({
      name: 'ResourceNotFoundException',
    });
  });

  it.each([
    ['Orders', '{"a":1}', 200, null, { name: 'Orders', event: { a: 1 } }],
    [
      'arn:aws:lambda:us-east-1:000000000000:function:Orders:live',
      '',
      200,
      null,
      { name: 'Orders', event: {} },
    ],
    ['broken', '{}', 200, 'Unhandled', bug],
    ['missing', '{}', 404, null, { Type: 'User', message: expect.stringContaining('missing') }],
    ['Orders', '{', 400, null, { Type: 'User' }],
  ])('invokes %s with %s as Lambda does', async (name, event, status, functionError, answer) => {
    const response = await fetch(invocationsOf(name), { method: 'POST', body: event, headers: signed });
    expect(response.status).toBe(status);
    expect(response.headers.get('x-amz-function-error')).toBe(functionError);
    expect(await response.json()).toMatchObject(answer);
  });

  it('describes an event source mapping as Lambda does', async () => {
    const mappingOf = (uuid: string) =>
      fetch(`${server.endpoint}/2015-03-31/event-source-mappings/${uuid}`, { headers: signed });
    const response = await mappingOf('Shop-Watch');
    expect([response.status, await response.json()]).toEqual([200, described]);
    const missing = await mappingOf('Shop-Other');
    expect(missing.status).toBe(404);
    expect(missing.headers.get('x-amzn-errortype')).toBe('ResourceNotFoundException');
  });

  it.each([
    ['another operation', '/2015-03-31/functions', {}],
    ['a change of a mapping', '/2015-03-31/event-source-mappings/Shop-Watch', {}],
    [
      'another invocation type',
      '/2015-03-31/functions/Orders/invocations',
      { 'x-amz-invocation-type': 'Event' },
    ],
  ])('refuses %s of Lambda', async (_what, path, headers) => {
    const response = await fetch(server.endpoint + path, {
      method: 'POST',
      headers: { ...signed, ...headers },
    });
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ message: expect.stringContaining('it plays Invoke') });
  });

  it('describes the stacks with their outputs, as CloudFormation does', async () => {
    const client = clientAt(CloudFormationClient, server.endpoint);
    const describeStacks = async (StackName?: string) =>
      (await client.send(new DescribeStacksCommand({ StackName }))).Stacks;
    const Outputs = [{ OutputKey: 'Url', OutputValue: 'http://a/?b=1&c=<2>' }];
    const shop = { StackName: 'Shop', StackStatus: 'CREATE_COMPLETE', Outputs };
    expect(await describeStacks()).toMatchObject([shop, { StackName: 'Data' }]);
    const [found] = (await describeStacks('Shop')) ?? [];
    expect(found).toMatchObject(shop);
    expect(await describeStacks(found?.StackId)).toMatchObject([shop]);
    const missing = { name: 'ValidationError', message: 'Stack with id <Shp> does not exist' };
    await expect(describeStacks('<Shp>')).rejects.toMatchObject(missing);
    await expect(client.send(new DeleteStackCommand({ StackName: 'Shop' }))).rejects.toMatchObject({
      name: 'InvalidAction',
      message: expect.stringContaining('it plays DescribeStacks'),
    });
  });

  it('gives queue URLs at itself', async () => {
    const name = new URL(await createQueue()).pathname.split('/').at(-1);
    const { QueueUrl: url } = await clientAt(SQSClient, server.endpoint).send(
      new GetQueueUrlCommand({ QueueName: name }),
    );
    expect(url).toBe(`${server.endpoint}/000000000000/${name}`);
  });

  it.each(['GET', 'POST'])('refuses a %s without a signature, and says what it is', async (method) => {
    const response = await fetch(server.endpoint, { method });
    expect(response.status).toBe(400);
    expect(await response.text()).toMatch(/dynamodb, sqs, sns, s3, eventbridge, scheduler/);
  });

  it('refuses a port that is in use, and takes it when it is free again', async () => {
    const port = Number(new URL(server.endpoint).port);
    await expect(start(port)).rejects.toMatchObject({
      code: 'Configuration',
      message: expect.stringContaining(`another program listens on port ${port}`),
    });
    await server.stop();
    server = await start(port);
    expect(await isListening(server.endpoint)).toBe(true);
  });
});

import { readFile } from 'node:fs/promises';
import type { RequestListener } from 'node:http';
import { type DynamoDBClient, ListTablesCommand } from '@aws-sdk/client-dynamodb';
import { EventBridgeClient } from '@aws-sdk/client-eventbridge';
import { S3Client } from '@aws-sdk/client-s3';
import { SchedulerClient } from '@aws-sdk/client-scheduler';
import { SNSClient } from '@aws-sdk/client-sns';
import { ListQueuesCommand, type SQSClient } from '@aws-sdk/client-sqs';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { SdkClient } from '../../lib/kernel/calls/sdk-client.ts';
import { startLoopbackServer } from '../../lib/local/engines/loopback-server.ts';
import type { RunningEngine } from '../../lib/local/engines/running-engine.ts';
import { disableSdkRetries } from '../support/faults.ts';
import { ownCopy } from '../support/own-copy.ts';

// Its clients are those of the process.
const { callLimits, defaultDynamoDBClient, defaultSqsClient, makeClient } =
  await ownCopy<typeof import('../../lib/compose/clients.ts')>('lib/compose/clients.ts');

const LIMIT_MS = 50;
const given = { ...process.env };
let answer: RequestListener;
let server: RunningEngine;
let dynamoDB: DynamoDBClient;
let sqs: SQSClient;

beforeAll(async () => {
  server = await startLoopbackServer(async (request, response) => answer(request, response));
  const { endpoint } = server;
  Object.assign(process.env, {
    AWS_ENDPOINT_URL_DYNAMODB: endpoint,
    AWS_ENDPOINT_URL_SQS: endpoint,
    AWS_REGION: 'us-east-1',
    AWS_ACCESS_KEY_ID: 'test',
    AWS_SECRET_ACCESS_KEY: 'test',
  });
  [dynamoDB, sqs] = [defaultDynamoDBClient(), defaultSqsClient()];
  for (const client of [dynamoDB, sqs]) disableSdkRetries(client);
});
afterAll(async () => {
  process.env = given;
  for (const client of [dynamoDB, sqs]) client.destroy();
  await server.stop();
});

const calls = {
  DynamoDB: async () => await dynamoDB.send(new ListTablesCommand({})),
  SQS: async () => await sqs.send(new ListQueuesCommand({})),
};
const services = ['DynamoDB', 'SQS'] as const;
/** The client's type leaves open that it may be one for browsers, which has none of this. */
const requestHandlerOf = (service: (typeof services)[number]) =>
  (service === 'SQS' ? sqs : dynamoDB).config.requestHandler as unknown as {
    httpHandlerConfigs(): object;
    updateHttpClientConfig(limit: keyof typeof callLimits, value: number): void;
  };

it.each(services)('the shared client of %s has limits of its own for each call', async (service) => {
  answer = (_request, response) => response.end('{}');
  await calls[service]();
  expect(requestHandlerOf(service).httpHandlerConfigs()).toMatchObject(callLimits);
});

it('docs/guide/recoverability.md states these limits', async () => {
  const page = await readFile(new URL('../../docs/guide/recoverability.md', import.meta.url), 'utf8');
  const { requestTimeout, socketTimeout, connectionTimeout } = callLimits;
  const rowOf = (limit: string) => new RegExp(`^\\| \`${limit}\`[^|]*\\| (.*) \\|$`, 'm').exec(page)?.[1];
  expect(rowOf('requestTimeout')).toBe(`${requestTimeout / 1000} s | ${requestTimeout / 1000} s`);
  expect(rowOf('connectionTimeout')).toBe(`${connectionTimeout / 1000} s | ${connectionTimeout / 1000} s`);
  expect(socketTimeout).toBe(requestTimeout);
  const attempts = [await dynamoDB.config.maxAttempts(), await sqs.config.maxAttempts()];
  expect(rowOf('maxAttempts')).toBe(attempts.join(' | '));
});

it.each([
  ['that never answers', () => {}],
  [
    'whose answer never ends',
    (_request, response) => {
      response.writeHead(200, { 'content-length': '100' });
      response.write('{');
    },
  ],
] satisfies [string, RequestListener][])('a service %s makes the call fail', async (_case, listener) => {
  answer = listener;
  for (const service of services) {
    const requestHandler = requestHandlerOf(service);
    requestHandler.updateHttpClientConfig('requestTimeout', LIMIT_MS);
    requestHandler.updateHttpClientConfig('socketTimeout', LIMIT_MS);
    await expect(calls[service]()).rejects.toThrow(/timed out|timeout/i);
  }
});

it.each([
  ['SNS', makeClient.snsClient, SNSClient],
  ['EventBridge', makeClient.eventBridgeClient, EventBridgeClient],
  ['EventBridge Scheduler', makeClient.schedulerClient, SchedulerClient],
  ['S3', makeClient.s3Client, S3Client],
])(
  'the client of %s, whose package is optional, is made with the given settings',
  async (_name, load, type) => {
    const settings = { region: 'eu-north-1', maxAttempts: 7 };
    const client = await load(settings);
    if (!(client instanceof type)) throw new Error('It is a client of another service');
    expect(await client.config.region()).toBe('eu-north-1');
    expect(await client.config.maxAttempts()).toBe(7);
    client.destroy();
    // By its type, it can be one of the user too.
    const given: SdkClient = new type(settings);
    expect(given.send).toEqual(expect.any(Function));
  },
);

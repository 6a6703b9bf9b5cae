import { randomUUID } from 'node:crypto';
import { Agent } from 'node:http';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { EventBridgeClient } from '@aws-sdk/client-eventbridge';
import { S3Client } from '@aws-sdk/client-s3';
import { SchedulerClient } from '@aws-sdk/client-scheduler';
import { SNSClient } from '@aws-sdk/client-sns';
import { CreateQueueCommand, type QueueAttributeName, SQSClient } from '@aws-sdk/client-sqs';
import { openClients } from './open-clients.ts';
import type { Engines } from './own-engines/engines.ts';
import { createSagaTable } from './own-engines/tables.ts';

const credentials = { accessKeyId: 'local', secretAccessKey: 'local' };
const region = 'us-east-1';

/** The connections of all clients of a test file: a client that is destroyed leaves them to the others. */
const httpAgent = new Agent({ keepAlive: true });
const closeConnections = httpAgent.destroy.bind(httpAgent);
httpAgent.destroy = () => httpAgent;
openClients.add({ destroy: closeConnections });

/** The SDK's own defaults, which each new client would look up in the environment and in files. */
const sdkDefaults = { defaultsMode: 'standard', retryMode: 'standard', maxAttempts: 3 } as const;

function endpointOf(variable: string): string {
  const endpoint = process.env[variable];
  if (!endpoint) throw new Error(`${variable} is not set: tests run with the globalSetup of jest.config.js`);
  return endpoint;
}

type Service = 'DYNAMODB' | 'SQS' | 'EVENTS';

type ClientClass<Client> = new (settings: {
  endpoint: string;
  region: string;
  credentials: typeof credentials;
  requestHandler: { httpAgent: Agent };
  defaultsMode: 'standard';
  retryMode: string;
  maxAttempts: number;
}) => Client;

/** A client of an engine, gone after the tests of the file. */
export function clientAt<Client extends { destroy(): void }>(
  Client: ClientClass<Client>,
  endpoint: string,
  settings: { readonly maxAttempts?: number } = {},
): Client {
  const requestHandler = { httpAgent };
  const client = new Client({ endpoint, region, credentials, requestHandler, ...sdkDefaults, ...settings });
  openClients.add(client);
  return client;
}

/** A client of an engine of this test run. */
function clientOf<Client extends { destroy(): void }>(Client: ClientClass<Client>, service: Service): Client {
  return clientAt(Client, endpointOf(`SAGABOX_TEST_${service}_ENDPOINT`));
}

export const dynamoDBClient = () => clientOf(DynamoDBClient, 'DYNAMODB');
/** Its endpoint wins over the host of queue URLs. SNS and S3 have the same engine. */
export const sqsClient = () => clientOf(SQSClient, 'SQS');
export const snsClient = () => clientOf(SNSClient, 'SQS');
export const s3Client = () => clientOf(S3Client, 'SQS');
/** The engine of EventBridge delivers to queues of the SQS engine. Its Scheduler's clock is the real one. */
export const eventBridgeClient = () => clientOf(EventBridgeClient, 'EVENTS');
export const schedulerClient = () => clientOf(SchedulerClient, 'EVENTS');

/** The engines of this test run, for what makes clients of its own. */
export const enginesOfTests = (): Engines => ({
  dynamoDBEndpoint: endpointOf('SAGABOX_TEST_DYNAMODB_ENDPOINT'),
  dynamoDBEngine: 'of the tests',
  sqsEndpoint: endpointOf('SAGABOX_TEST_SQS_ENDPOINT'),
});

/** By the names of the options of `createHandler`. */
export function everyClient() {
  return {
    dynamoDBClient: dynamoDBClient(),
    sqsClient: sqsClient(),
    snsClient: snsClient(),
    eventBridgeClient: eventBridgeClient(),
    schedulerClient: schedulerClient(),
    s3Client: s3Client(),
  };
}

/** Makes the tables and queues of a test file. */
const makers = { dynamoDB: dynamoDBClient(), sqs: sqsClient() };

/** A new table with the keys of sagabox; returns its unique name. */
export async function createTable(): Promise<string> {
  const tableName = `test-${randomUUID()}`;
  await createSagaTable(makers.dynamoDB, tableName);
  return tableName;
}

/** A new queue; returns its URL. Its name ends in `.fifo` when the attribute `FifoQueue` is 'true'. */
export async function createQueue(
  attributes: Partial<Record<QueueAttributeName, string>> = {},
): Promise<string> {
  const suffix = attributes.FifoQueue === 'true' ? '.fifo' : '';
  const QueueName = `test-${randomUUID()}${suffix}`;
  const { QueueUrl } = await makers.sqs.send(new CreateQueueCommand({ QueueName, Attributes: attributes }));
  if (!QueueUrl) throw new Error('The SQS engine gave no queue URL');
  return QueueUrl;
}

import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { SQSClient } from '@aws-sdk/client-sqs';
import type { Engines } from './engines.ts';

export interface Clients {
  readonly dynamoDBClient: DynamoDBClient;
  readonly sqsClient: SQSClient;
}

const identity = { region: 'us-east-1', credentials: { accessKeyId: 'local', secretAccessKey: 'local' } };

/** As many sockets as messages at a time; those of the SDK, told so that they hold for all contenders. */
const requestHandler = { httpAgent: { keepAlive: true, maxSockets: 50 } } as const;

/** The same clients for all contenders: their connections are as warm for one as for the other. */
export async function withClients<T>(engines: Engines, work: (clients: Clients) => Promise<T>): Promise<T> {
  const settings = { ...identity, requestHandler };
  const dynamoDBClient = new DynamoDBClient({ ...settings, endpoint: engines.dynamoDBEndpoint });
  const sqsClient = new SQSClient({ ...settings, endpoint: engines.sqsEndpoint });
  try {
    return await work({ dynamoDBClient, sqsClient });
  } finally {
    dynamoDBClient.destroy();
    sqsClient.destroy();
  }
}

import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { SQSClient } from '@aws-sdk/client-sqs';
import type { Engines } from './engines.ts';

export interface Clients {
  readonly dynamoDBClient: DynamoDBClient;
  readonly sqsClient: SQSClient;
}

const identity = { region: 'us-east-1', credentials: { accessKeyId: 'local', secretAccessKey: 'local' } };

export function newDynamoDBClient({ dynamoDBEndpoint: endpoint }: Engines): DynamoDBClient {
  return new DynamoDBClient({ ...identity, requestHandler: newRequestHandler(), endpoint });
}

export function newSqsClient({ sqsEndpoint: endpoint }: Engines): SQSClient {
  return new SQSClient({ ...identity, requestHandler: newRequestHandler(), endpoint });
}

/** As many sockets as messages at a time; those of the SDK, told so that they hold for all contenders. */
function newRequestHandler() {
  return { httpAgent: { keepAlive: true, maxSockets: 50 } } as const;
}

/** The same clients for all contenders: their connections are as warm for one as for the other. */
export async function withClients<T>(engines: Engines, work: (clients: Clients) => Promise<T>): Promise<T> {
  const dynamoDBClient = newDynamoDBClient(engines);
  const sqsClient = newSqsClient(engines);
  try {
    return await work({ dynamoDBClient, sqsClient });
  } finally {
    dynamoDBClient.destroy();
    sqsClient.destroy();
  }
}

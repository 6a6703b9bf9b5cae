import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { SQSClient } from '@aws-sdk/client-sqs';
import { clientRegion } from './client-region.ts';
import { refusedConfiguration } from './command.ts';

export interface Clients {
  readonly dynamoDBClient: DynamoDBClient;
  readonly sqsClient: SQSClient;
}

/**
 * Runs the work with clients of the environment's account.
 *
 * @param region of the queues, if known
 * @throws RefusedInput when no region is set
 */
export async function withClients<T>(work: (clients: Clients) => Promise<T>, region?: string): Promise<T> {
  const { AWS_ENDPOINT_URL_SQS, AWS_ENDPOINT_URL } = process.env;
  // An endpoint that is set, such as a local one, is meant for every queue.
  const useQueueUrlAsEndpoint = !AWS_ENDPOINT_URL_SQS && !AWS_ENDPOINT_URL;
  const dynamoDBClient = new DynamoDBClient({});
  const sqsClient = new SQSClient({ useQueueUrlAsEndpoint, ...(region !== undefined && { region }) });
  try {
    // A command that knows the region of its queues uses no table.
    await clientRegion(sqsClient, 'the tables and queues').catch(refusedConfiguration);
    return await work({ dynamoDBClient, sqsClient });
  } finally {
    dynamoDBClient.destroy();
    sqsClient.destroy();
  }
}

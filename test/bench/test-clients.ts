import { afterAll } from '@jest/globals';
import type { Clients } from '../../bench/engines/clients.ts';
import { dynamoDBClient, sqsClient } from '../support/engines.ts';

/** Clients of the engines of this test run, gone after the tests of the file that calls it. */
export function testClients(): Clients {
  const clients = { dynamoDBClient: dynamoDBClient(), sqsClient: sqsClient() };
  afterAll(() => {
    clients.dynamoDBClient.destroy();
    clients.sqsClient.destroy();
  });
  return clients;
}

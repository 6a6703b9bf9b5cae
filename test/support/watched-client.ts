import { beforeEach } from '@jest/globals';
import { ClientFaults, disableSdkRetries, type FaultyClient } from './faults.ts';

/**
 * A client of a test file that sends each request once; its requests and faults are forgotten before each
 * test.
 */
export function watchedClient<Client extends FaultyClient>(client: Client) {
  disableSdkRetries(client);
  const faults = new ClientFaults(client);
  beforeEach(() => faults.reset());
  return { client, faults };
}

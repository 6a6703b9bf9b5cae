import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { beforeAll, beforeEach } from '@jest/globals';
import { CapacityMeter } from '../../lib/dynamodb/capacity-meter.ts';
import { commitOf } from './commits.ts';
import { dynamoDBPorts, type StorePorts } from './dynamodb-ports.ts';
import { createTable, dynamoDBClient } from './engines.ts';
import { ClientFaults } from './faults.ts';
import { MovingClock } from './moving-clock.ts';

/** The ports on a table of their own, by a client whose calls are watched. */
export interface TestStore {
  readonly client: DynamoDBClient;
  readonly faults: ClientFaults;
  readonly tableName: string;
  readonly ports: StorePorts;
  readonly clock: MovingClock;
  readonly commit: (parts: Parameters<typeof commitOf>[0]) => Promise<void>;
}

/** With a new table before each test. */
export function storeForEachTest(): TestStore {
  return storeBefore(beforeEach);
}

/** With one table for the tests of the file. */
export function storeForAllTests(): TestStore {
  return storeBefore(beforeAll);
}

/** Sets Jest's hooks, so it is called while a test file loads. */
function storeBefore(before: typeof beforeAll): TestStore {
  const client = dynamoDBClient();
  const faults = new ClientFaults(client);
  let current: Pick<TestStore, 'tableName' | 'ports' | 'clock'> | undefined;
  const ofTest = () => {
    if (!current) throw new Error('The table of a test store is there once the tests run.');
    return current;
  };
  before(async () => {
    const tableName = await createTable();
    const clock = new MovingClock();
    current = { tableName, clock, ports: dynamoDBPorts({ client, sagaTable: tableName, clock }) };
  });
  beforeEach(() => faults.reset());
  return {
    client,
    faults,
    get tableName() {
      return ofTest().tableName;
    },
    get clock() {
      return ofTest().clock;
    },
    get ports() {
      return ofTest().ports;
    },
    commit: (parts) => ofTest().ports.committer.commit(commitOf(parts), new CapacityMeter()),
  };
}

import { describe, expect, it } from '@jest/globals';
import { CapacityMeter } from '../../lib/dynamodb/capacity-meter.ts';
import { tableDefaults } from '../../lib/dynamodb/table-defaults.ts';
import { InFlight } from '../../lib/kernel/calls/in-flight.ts';
import { newBatchers, sharedBatchers } from '../../lib/outbox/batchers.dynamodb.ts';
import { DynamoDBCommitter } from '../../lib/outbox/commit/committer.dynamodb.ts';
import { defaultMapper } from '../../lib/saga/item/mapper.dynamodb.ts';
import { storedRecord } from '../support/commits.ts';
import { createTable, dynamoDBClient } from '../support/engines.ts';
import { ClientFaults, dynamoDBError } from '../support/faults.ts';
import { MovingClock } from '../support/moving-clock.ts';
import { outgoingMessage } from '../support/outgoing-messages.ts';
import { sagaCreation } from '../support/saga-writes.ts';

const client = dynamoDBClient();
const otherClient = dynamoDBClient();
const faults = new ClientFaults(client);

describe('the batchers of a client', () => {
  it('are the same for all flows on it', () => {
    const batchers = sharedBatchers(client, new MovingClock());
    expect(sharedBatchers(client, new MovingClock())).toBe(batchers);
    expect(sharedBatchers(otherClient, new MovingClock())).not.toBe(batchers);
    expect(newBatchers(client, new MovingClock())).not.toBe(batchers);
  });
});

class CountedWork extends InFlight {
  count = 0;

  override during<T>(work: Promise<T>): Promise<T> {
    this.count += 1;
    return super.during(work).finally(() => {
      this.count -= 1;
    });
  }
}

describe('a commit', () => {
  async function countedDuring(commit: Parameters<DynamoDBCommitter['commit']>[0], error?: Error) {
    const table = { ...tableDefaults, tableName: await createTable() };
    const outbox = { table, endpoint: 'orders', deduplicationPeriodSeconds: 60 };
    const commits = new CountedWork();
    const tables = { sagaTable: table, outbox, mapper: defaultMapper };
    const committer = new DynamoDBCommitter({ client, ...tables, endpoint: 'orders', commits });
    let during = -1;
    faults.plan('PutItem', async (_input, proceed) => {
      during = commits.count;
      if (error) throw error;
      return await proceed();
    });
    await Promise.allSettled([committer.commit(commit, new CapacityMeter())]);
    return { during, afterwards: commits.count };
  }

  it('of a message that has something to send is in flight until it ends', async () => {
    const sending = storedRecord('in-1', [outgoingMessage()]);
    expect(await countedDuring(sending)).toEqual({ during: 1, afterwards: 0 });
    const failure = dynamoDBError('ValidationException');
    expect(await countedDuring(sending, failure)).toEqual({ during: 1, afterwards: 0 });
  });

  it('of a message that has nothing to send holds up nobody', async () => {
    expect(await countedDuring(storedRecord('in-1'))).toEqual({ during: 0, afterwards: 0 });
    expect(await countedDuring(sagaCreation({}))).toEqual({ during: 0, afterwards: 0 });
  });
});

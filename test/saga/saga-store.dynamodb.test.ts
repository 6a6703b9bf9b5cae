import { beforeEach, describe, expect, it } from '@jest/globals';
import { CapacityMeter } from '../../lib/dynamodb/capacity-meter.ts';
import { tableDefaults } from '../../lib/dynamodb/table-defaults.ts';
import { newBatchers } from '../../lib/outbox/batchers.dynamodb.ts';
import { defaultMapper } from '../../lib/saga/item/mapper.dynamodb.ts';
import { DynamoDBSagaStore } from '../../lib/saga/saga-store.dynamodb.ts';
import { orderSaga } from '../support/commits.ts';
import { dynamoDBPorts } from '../support/dynamodb-ports.ts';
import { createTable, dynamoDBClient } from '../support/engines.ts';
import { ClientFaults } from '../support/faults.ts';
import { MovingClock } from '../support/moving-clock.ts';
import { sagaCreation } from '../support/saga-writes.ts';

const client = dynamoDBClient();
const faults = new ClientFaults(client);

let sagas: DynamoDBSagaStore;
let tableName: string;

/** A saga that is stored, and read eventually. */
beforeEach(async () => {
  tableName = await createTable();
  const { committer } = dynamoDBPorts({ client, sagaTable: tableName });
  await committer.commit(sagaCreation({ total: 1 }), new CapacityMeter());
  const table = { ...tableDefaults, tableName };
  const { reads } = newBatchers(client, new MovingClock());
  sagas = new DynamoDBSagaStore({ reads, table, mapper: defaultMapper, consistentRead: false });
  faults.reset();
});

const consistency = () => faults.requests.map(({ input }) => input.RequestItems[tableName].ConsistentRead);

describe('an eventually consistent load', () => {
  it('costs half, and reads once what it finds', async () => {
    const meter = new CapacityMeter();
    expect((await sagas.load(orderSaga, meter, 'absence')).stored).toBeDefined();
    expect(consistency()).toEqual([false]);
    expect(meter.total.readUnits).toBe(0.5);
  });

  it('that missed a saga which is there is read again, where a miss must be certain', async () => {
    faults.answer('BatchGetItem', {});
    const { stored } = await sagas.load(orderSaga, new CapacityMeter(), 'absence');
    expect(stored?.readState()).toEqual({ total: 1 });
    expect(consistency()).toEqual([false, true]);
  });

  it('that missed it is not read again for a message that would start it', async () => {
    faults.answer('BatchGetItem', {});
    expect((await sagas.load(orderSaga, new CapacityMeter())).stored).toBeUndefined();
    expect(consistency()).toEqual([false]);
  });
});

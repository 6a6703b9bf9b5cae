import { beforeEach, describe, expect, it } from '@jest/globals';
import { CapacityMeter } from '../../../lib/dynamodb/capacity-meter.ts';
import { at } from '../../support/commits.ts';
import { commitToSaga, entryOf } from '../../support/embedded-commits.ts';
import { createTable, dynamoDBClient } from '../../support/engines.ts';
import { ClientFaults } from '../../support/faults.ts';
import { numberedMessages } from '../../support/outgoing-messages.ts';
import { allItems } from '../../support/raw-items.ts';
import { dynamoDBRelay, type RelayStores } from '../../support/relay-subject.ts';

const meter = new CapacityMeter();

describe('marks of one item that are made at the same time', () => {
  const client = dynamoDBClient();
  const faults = new ClientFaults(client);
  let tableName: string;
  let stores: RelayStores;

  beforeEach(async () => {
    tableName = await createTable();
    stores = dynamoDBRelay({ client, tableName, strategy: 'scan' });
    for (const messageId of ['m1', 'm2', 'm3'])
      await commitToSaga(stores, { messageId, operations: numberedMessages(1) });
    faults.reset();
  });

  async function mark(...messageIds: string[]): Promise<void> {
    const records = await Promise.all(
      messageIds.map(async (id) => stores.embedded.find(await entryOf(stores, id), meter)),
    );
    faults.reset();
    await Promise.all(records.map((found) => found && stores.embedded.markDispatched(found, at, meter)));
  }
  const pending = async () => {
    const [item] = await allItems(dynamoDBClient(), tableName);
    return Object.values(item?.pending?.M ?? {}).map(({ M }) => M?.id?.S);
  };

  it('share a write', async () => {
    await mark('m1', 'm3');
    expect(faults.operations).toEqual(['UpdateItem']);
    expect(await pending()).toEqual(['m2']);
  });

  it('of two deliveries of one message name its entry once: DynamoDB refuses paths that overlap', async () => {
    await mark('m1', 'm1', 'm2');
    expect(faults.operations).toEqual(['UpdateItem']);
    expect(await pending()).toEqual(['m3']);
  });
});

import { expect, it } from '@jest/globals';
import { newBatchers } from '../../../../lib/adapters/dynamodb/calls/batchers.ts';
import { searchByIndex } from '../../../../lib/adapters/dynamodb/relay/undispatched-index.ts';
import { CapacityMeter } from '../../../../lib/core/storage/capacity-meter.ts';
import { relayIndex, relayShards } from '../../../../lib/core/storage/relay-index.ts';
import { tableDefaults } from '../../../../lib/core/storage/table-defaults.ts';
import { dynamoDBClient } from '../../../support/engines.ts';
import { ClientFaults } from '../../../support/faults.ts';
import { MovingClock } from '../../../support/moving-clock.ts';

it.each([
  [0, 0],
  [0.5, 8],
  [0.999, 15],
])('a search that begins by chance (%d) with shard %i goes round all of them', async (chance, first) => {
  const client = dynamoDBClient();
  const faults = new ClientFaults(client);
  for (const _ of relayShards('orders')) faults.answer('Query', { Items: [] });
  const outbox = { table: { ...tableDefaults, tableName: 'outbox' }, endpoint: 'orders' };
  const search = searchByIndex({
    client,
    outbox,
    reads: newBatchers(client, new MovingClock()).reads,
    random: () => chance,
  });
  for await (const found of search(new Date(), new CapacityMeter())) expect(found).toBeUndefined();
  client.destroy();

  const searched = faults.requests.map(({ input }) => input.ExpressionAttributeValues[':shard'].S);
  const shards = relayShards('orders');
  expect(faults.requests[0]?.input.IndexName).toBe(relayIndex.indexName);
  expect(searched).toEqual([...shards.slice(first), ...shards.slice(0, first)]);
});

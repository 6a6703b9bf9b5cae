import { createHash } from 'node:crypto';
import { expect, it } from '@jest/globals';
import { DynamoDBCommitter } from '../../../lib/adapters/dynamodb/commit/committer.ts';
import { defaultMapper } from '../../../lib/adapters/dynamodb/saga/mapper.ts';
import { embeddedCommit } from '../../../lib/core/embedded/embedded-write.ts';
import { sentBitmap } from '../../../lib/core/outbox/sent-bitmap.ts';
import { newLease } from '../../../lib/core/saga/lease.ts';
import { CapacityMeter } from '../../../lib/core/storage/capacity-meter.ts';
import { storedAttributes } from '../../../lib/core/storage/stored-attributes.ts';
import { tableDefaults } from '../../../lib/core/storage/table-defaults.ts';
import { at, commitOf, orderSaga, outboxWriteAsCommitted, storedRecord } from '../../support/commits.ts';
import { dynamoDBClient } from '../../support/engines.ts';
import { numberedMessages, outgoingMessage } from '../../support/outgoing-messages.ts';
import { allItems } from '../../support/raw-items.ts';
import { createIndexedTable, dynamoDBRelay } from '../../support/relay-subject.ts';

const client = dynamoDBClient();

const overflowed = {
  ...embeddedCommit({
    endpoint: 'orders',
    opened: { identity: { name: 'OrderSaga', id: 'embedded' }, stored: undefined, lease: undefined },
    saga: undefined,
    messages: [],
    at,
    deduplicationPeriodSeconds: 60,
  }).embedded,
  isOverflowed: true,
  changeover: at,
};

it('are all attributes of the items that are really written, besides keys and time to live', async () => {
  const tableName = await createIndexedTable(client);
  const meter = new CapacityMeter();
  const { committer, undispatched, outbox } = dynamoDBRelay({ client, tableName, strategy: 'index' });
  const sagas = new DynamoDBCommitter({
    client,
    sagaTable: { ...tableDefaults, tableName },
    outbox: undefined,
    mapper: defaultMapper,
    endpoint: 'orders',
  });
  const timeouts = [{ id: 't1', type: 'TimedOut', scheduled: true }];
  await sagas.commit(
    commitOf({ saga: { kind: 'create', saga: orderSaga, state: { total: 1 }, timeouts, stateVersion: 2 } }),
    meter,
  );
  const contribution = {
    saga: orderSaga,
    createdAt: at,
    key: 'a',
    endpoint: 'orders',
    messageId: 'm',
    ordinal: 0,
    expiresAt: at,
  };
  await sagas.commit(commitOf({ appended: [{ ...contribution, value: { N: '1' } }] }), meter);
  await sagas.commit(commitOf({ embedded: overflowed }), meter);
  const hashed = createHash('sha256').update('m').digest('hex');
  const compressible = outboxWriteAsCommitted('compressed', numberedMessages(50));
  const chunked = storedRecord('chunked', [outgoingMessage({ body: 'x'.repeat(400_000) })]);
  for (const commit of [
    storedRecord(hashed, numberedMessages(1)),
    chunked,
    commitOf({ outbox: { ...compressible, response: { json: '{}' } } }),
  ])
    await committer.commit(commit, meter);
  const dispatched = await outbox.find('compressed', meter);
  expect(await undispatched.claim({ messageId: hashed }, newLease('a', at, 1), at, meter)).toBe('claimed');
  if (dispatched) await outbox.keepSent(dispatched, sentBitmap(Array(50).fill(false)), meter);
  const undispatchedItems = await allItems(client, tableName);
  if (dispatched) await outbox.markDispatched(dispatched, at, meter);

  const items = [...undispatchedItems, ...(await allItems(client, tableName))];
  const names = new Set(items.flatMap((item) => Object.keys(item)));
  for (const name of Object.values(tableDefaults)) expect(names.delete(name)).toBe(true);
  expect([...names].toSorted()).toEqual([...storedAttributes].toSorted());
});

import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { beforeEach, expect, it, jest } from '@jest/globals';
import fc from 'fast-check';
import { watchOutbox } from 'sagabox';
import { CapacityMeter } from '../../lib/dynamodb/capacity-meter.ts';
import { silentLogger } from '../../lib/testing/silent-logger.ts';
import { anyAttributeValue } from '../support/attribute-values.ts';
import { dynamoDBClient } from '../support/engines.ts';
import { type Item, itemsOf, putItem } from '../support/raw-items.ts';
import { createStreamedTable, dynamoDBRelay } from '../support/relay-subject.ts';
import { streamRecords } from '../support/table-stream.ts';
import { changedItem, embeddedChanges, recordChanges } from './damaged-items.ts';
import { fuzzTimeoutMs, holdsForAll } from './fuzz.ts';
import { hostileString } from './hostile-values.ts';
import { outgoing, recordItems, STORED_ENDPOINT, storedEmbeddedItem } from './stored-endpoint.ts';

jest.setTimeout(fuzzTimeoutMs);

const prefixes = [
  'OUTBOX#stored#',
  'OUTBOX##',
  'OUTBOX#',
  'SAGA#Stored#',
  'SAGA#',
  `UNSENT#${STORED_ENDPOINT}`,
];
const keys = fc
  .tuple(
    fc.constantFrom(...prefixes),
    hostileString,
    fc.constantFrom('RECORD', 'SAGA', 'WATCHER', 'CHUNK#0001', '2026'),
  )
  .map(([prefix, text, SK]): Item => ({ PK: { S: `${prefix}${text.toWellFormed()}` }, SK: { S: SK } }));

const attributes = fc.dictionary(
  fc.constantFrom('dispatched', 'pending', 'endpoint', 'storedAt', 'messageId', 'itemPartition', 'entryKey'),
  anyAttributeValue,
  { noNullPrototype: true },
);
const entries = fc
  .dictionary(hostileString, anyAttributeValue, { noNullPrototype: true })
  .map((pending): Item => {
    const wellFormed = Object.entries(pending).map(([key, value]) => [key.toWellFormed(), value]);
    return { endpoint: { S: STORED_ENDPOINT }, pending: { M: Object.fromEntries(wellFormed) } };
  });

/** Of any form, beside those that a commit left and somebody has changed. */
const items: fc.Arbitrary<Item> = fc.oneof(
  fc.tuple(keys, attributes).map(([key, others]) => ({ dispatched: { BOOL: false }, ...others, ...key })),
  fc.tuple(keys, entries).map(([key, others]) => ({ ...others, ...key })),
  recordChanges.map((changes) => changedItem(recordItems('', 'changed', [outgoing(1)])[0] ?? {}, changes)),
  embeddedChanges.map((changes) => changedItem(storedEmbeddedItem('changed', 'a', 'b'), changes)),
);

let client: DynamoDBClient;
beforeEach(() => {
  client = dynamoDBClient();
});

it('items of any form do not stop the watcher, which lists what is well formed among them', async () => {
  await holdsForAll(fc.array(items, { minLength: 1, maxLength: 6 }), 12, async (others) => {
    const tableName = await createStreamedTable(client);
    const [record = {}] = recordItems(tableName, 'good', [outgoing(100)]);
    const saga = storedEmbeddedItem('good', 'handled', 'entry');
    for (const item of [...others, record, saga, ...others]) await putIfTaken(tableName, item);

    const watch = watchOutbox({ dynamoDBClient: client, logger: silentLogger });
    const changes = await streamRecords(client, tableName);
    for (let at = 0; at < changes.length; at += 3) await watch({ Records: changes.slice(at, at + 3) });

    const listed = [...(await itemsOf(client, tableName, `UNSENT#${STORED_ENDPOINT}`)).values()];
    const places = listed.map(({ itemPartition, messageId }) => [itemPartition?.S, messageId?.S]);
    expect(places).toContainEqual([record.PK?.S, undefined]);
    expect(places).toContainEqual([saga.PK?.S, 'entry']);

    const { undispatched } = dynamoDBRelay({
      client,
      tableName,
      strategy: 'stream',
      endpoint: STORED_ENDPOINT,
    });
    const found: string[] = [];
    for await (const { messageId } of undispatched.find(new Date(), new CapacityMeter()))
      found.push(messageId);
    expect(found).toEqual(expect.arrayContaining(['good', 'entry']));
  });
});

/** What is no item cannot be there. */
async function putIfTaken(tableName: string, item: Item): Promise<void> {
  try {
    await putItem(client, tableName, item);
  } catch (error) {
    if ((error as Error).name !== 'ValidationException') throw error;
  }
}

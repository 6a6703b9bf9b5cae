import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { storedAttributes } from '../../lib/dynamodb/stored-attributes.ts';
import { tableDefaults } from '../../lib/dynamodb/table-defaults.ts';
import { dynamoDBClient } from '../support/engines.ts';
import type { Item } from '../support/raw-items.ts';
import { createStreamedTable } from '../support/relay-subject.ts';
import { comparable } from './golden-items/comparable-requests.ts';
import { goldenEndpoint } from './golden-items/endpoint.ts';
import { idOf, readGolden, withBase64, writeGolden } from './golden-items/golden.ts';
import { messages, relayed } from './golden-items/messages.ts';
import { writeItems } from './golden-items/write-items.ts';

const client = dynamoDBClient();
const keyOf = ({ PK, SK }: Item) => `${PK?.S} ${SK?.S}`;
const byKey = (items: readonly Item[]) =>
  Object.fromEntries(items.map((item) => [keyOf(item), comparable(withBase64(item))]));

describe('the items that the engine stores', () => {
  let stored: readonly Item[];

  beforeAll(async () => {
    const tableName = await createStreamedTable(client);
    const endpoint = goldenEndpoint(client, tableName);
    stored = await writeItems(client, tableName, endpoint);
    if (process.env.SAGABOX_WRITE_GOLDEN_ITEMS) {
      const dispatches: Record<string, object[]> = {};
      for (const { to, delivery, refused } of [...messages, ...relayed]) {
        if (!refused) continue;
        await endpoint.deliver(to, delivery);
        dispatches[idOf(to)] = endpoint.takeRequests();
      }
      writeGolden({ items: stored, dispatches });
    }
    endpoint.destroy();
  }, 120_000);
  afterAll(() => void jest.useRealTimers());

  it('are those of golden-items, byte for byte', () => {
    expect(byKey(stored)).toEqual(byKey(readGolden().items));
  });

  it('have the attributes that are known, and no others but keys and time to live', () => {
    const names = new Set(readGolden().items.flatMap((item) => Object.keys(item)));
    expect(names).toEqual(new Set([...storedAttributes, ...Object.values(tableDefaults)]));
  });
});

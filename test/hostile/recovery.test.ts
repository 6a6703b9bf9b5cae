import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { errorRules } from '../../lib/core/errors.ts';
import { type RecoverySettings, recover } from '../../lib/flow/recover.ts';
import { MemoryDispatcher } from '../../lib/memory/dispatcher.ts';
import { dynamoDBClient } from '../support/engines.ts';
import { allItems, putItem } from '../support/raw-items.ts';
import { createIndexedTable, dynamoDBRecovery } from '../support/recovery-subject.ts';
import { changedItem, recordChanges } from './damaged-items.ts';
import { fuzzTimeoutMs, holdsForAll } from './fuzz.ts';
import { outgoing, recordItems, STORED_ENDPOINT } from './stored-endpoint.ts';

const clock = { now: () => new Date('2026-01-03T00:00:00Z'), sleep: async () => {} };

let client: DynamoDBClient;
beforeEach(() => {
  client = dynamoDBClient();
});
afterEach(() => client.destroy());

describe.each(['index', 'scan'] as const)('a recovery by %s of damaged records', (strategy) => {
  it(
    'dispatches what can be read, tells what cannot with a code, and ends',
    async () => {
      await holdsForAll(fc.array(recordChanges, { minLength: 1, maxLength: 4 }), 6, async (damages) => {
        const tableName = await createIndexedTable(client);
        const shard = { recoveryShard: { S: `${STORED_ENDPOINT}#00` } };
        for (const [index, changes] of damages.entries()) {
          const [item = {}] = recordItems(tableName, `m-${index}`, [outgoing(index)]);
          await putIfTaken(tableName, changedItem({ ...item, ...shard }, changes));
        }
        const [good = {}] = recordItems(tableName, 'good', [outgoing(100)]);
        await putItem(client, tableName, { ...good, ...shard });

        const stores = dynamoDBRecovery({ client, tableName, strategy, endpoint: STORED_ENDPOINT, clock });
        const dispatcher = new MemoryDispatcher();
        const result = await recover({ ...stores, dispatcher, clock }, settings);

        expect(result).toMatchObject({ searchError: undefined, complete: true });
        expect(result.found).toBeLessThanOrEqual(damages.length + 1);
        expect(result.found).toBe(
          result.dispatched + result.held + result.postponed + result.settled + result.failed.length,
        );
        for (const { code } of result.failed) expect(Object.keys(errorRules)).toContain(code);
        expect(dispatcher.sent.map(({ id }) => id)).toContain('out-100');
        const marked = (await allItems(client, tableName)).find(({ PK }) => PK?.S?.endsWith('#good'));
        expect(marked?.dispatched).toEqual({ BOOL: true });
      });
    },
    fuzzTimeoutMs,
  );

  /** The keys of the index are of one type: an item that breaks that cannot be there. */
  async function putIfTaken(tableName: string, item: Parameters<typeof putItem>[2]): Promise<void> {
    try {
      await putItem(client, tableName, item);
    } catch (error) {
      if ((error as Error).name !== 'ValidationException') throw error;
    }
  }
});

let owners = 0;
const settings: RecoverySettings = {
  olderThanMs: 1000,
  leaseDurationMs: 60_000,
  concurrency: 5,
  includePostponed: true,
  newLeaseOwner: () => {
    owners += 1;
    return `owner-${owners}`;
  },
  signal: new AbortController().signal,
};

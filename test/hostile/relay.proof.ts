import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { beforeEach, describe, expect, it, jest } from '@jest/globals';
import fc from 'fast-check';
import { CapacityMeter } from '../../lib/dynamodb/capacity-meter.ts';
import { errorMessages } from '../../lib/kernel/errors/errors.ts';
import type { OutgoingOperation } from '../../lib/messages/message.ts';
import { outboxWrite, type RecordReference } from '../../lib/outbox/record.ts';
import { type RelayPorts, type RelaySettings, relayRecords } from '../../lib/relay/relay.ts';
import { MemoryDispatcher } from '../../lib/testing/memory/dispatcher.ts';
import { dynamoDBClient } from '../support/engines.ts';
import { allItems, putItem } from '../support/raw-items.ts';
import { createStreamedTable, dynamoDBRelay, memoryRelay } from '../support/relay-subject.ts';
import { changedItem, embeddedChanges, recordChanges } from './damaged-items.ts';
import { fuzzTimeoutMs, holdsForAll } from './fuzz.ts';
import { hostileThrown, type Maker, oddThrown } from './odd-values.ts';
import { at, outgoing, recordItems, STORED_ENDPOINT, storedEmbeddedItem } from './stored-endpoint.ts';

jest.setTimeout(fuzzTimeoutMs);

const clock = { now: () => new Date('2026-01-03T00:00:00Z'), sleep: async () => {} };

let client: DynamoDBClient;
beforeEach(() => {
  client = dynamoDBClient();
});

describe.each(['stream', 'scan'] as const)('a relay by %s of damaged records', (strategy) => {
  it('dispatches what can be read, tells what cannot with a code, and ends', async () => {
    await holdsForAll(fc.array(recordChanges, { minLength: 1, maxLength: 4 }), 6, async (damages) => {
      const tableName = await createStreamedTable(client);
      for (const [index, changes] of damages.entries()) {
        const [item = {}] = recordItems(tableName, `m-${index}`, [outgoing(index)]);
        await putIfTaken(tableName, changedItem(item, changes));
      }
      const [good = {}] = recordItems(tableName, 'good', [outgoing(100)]);
      await putItem(client, tableName, good);

      const stores = dynamoDBRelay({ client, tableName, strategy, endpoint: STORED_ENDPOINT, clock });
      const dispatcher = new MemoryDispatcher();
      const result = await relayRecords({ ...stores, dispatcher, clock }, settings);

      expect(result).toMatchObject({ searchError: undefined, complete: true });
      expect(result.found).toBeLessThanOrEqual(damages.length + 1);
      expect(result.found).toBe(
        result.dispatched + result.held + result.postponed + result.settled + result.failed.length,
      );
      for (const { code } of result.failed) expect(Object.keys(errorMessages)).toContain(code);
      expect(dispatcher.sent.map(({ id }) => id)).toContain('out-100');
      const marked = (await allItems(client, tableName)).find(({ PK }) => PK?.S?.endsWith('#good'));
      expect(marked?.dispatched).toEqual({ BOOL: true });
    });
  });

  it('dispatches what can be read in items of sagas, tells what cannot with a code, and ends', async () => {
    await holdsForAll(fc.array(embeddedChanges, { minLength: 1, maxLength: 4 }), 10, async (damages) => {
      const tableName = await createStreamedTable(client);
      for (const [index, changes] of damages.entries()) {
        const item = storedEmbeddedItem(`s-${index}`, 'handled', `pending-${index}`);
        await putIfTaken(tableName, changedItem(item, changes));
      }
      await putItem(client, tableName, storedEmbeddedItem('good', 'handled', 'good'));
      const before = await allItems(client, tableName);

      const stores = dynamoDBRelay({ client, tableName, strategy, endpoint: STORED_ENDPOINT, clock });
      const dispatcher = new MemoryDispatcher();
      const result = await relayRecords({ ...stores, dispatcher, clock }, settings);

      expect(result).toMatchObject({ searchError: undefined, complete: true });
      expect(result.found).toBe(
        result.dispatched + result.held + result.postponed + result.settled + result.failed.length,
      );
      for (const { code } of result.failed) expect(Object.keys(errorMessages)).toContain(code);
      for (const item of await allItems(client, tableName)) {
        const { pending } = item;
        if (item.PK?.S?.endsWith('#good')) expect(pending).toEqual({ M: {} });
        const old = before.find(({ PK }) => PK?.S === item.PK?.S);
        expect(item.state).toEqual(old?.state);
        expect(item.inbox).toEqual(old?.inbox);
      }
    });
  });

  /** What is no item cannot be there. */
  async function putIfTaken(tableName: string, item: Parameters<typeof putItem>[2]): Promise<void> {
    try {
      await putItem(client, tableName, item);
    } catch (error) {
      if ((error as Error).name !== 'ValidationException') throw error;
    }
  }
});

describe('a relay whose ports throw anything', () => {
  const places = [
    'find',
    'claim',
    'release',
    'postpone',
    'read',
    'dispatch',
    'mark',
    'unlist',
    'onRecord',
  ] as const;
  type Place = (typeof places)[number];

  /** The stores of a record that nothing is wrong with, and of one whose ports throw. */
  async function thrownAt(place: Place, make: Maker) {
    const stores = memoryRelay(undefined, STORED_ENDPOINT);
    for (const [index, messageId] of ['bad', 'good'].entries()) {
      const content = { endpoint: STORED_ENDPOINT, messageId, operations: [outgoing(index)], storedAt: at };
      const commit = { saga: undefined, outbox: outboxWrite(content), transactionItems: [], at };
      await stores.committer.commit(commit, new CapacityMeter());
    }
    const failing =
      <First, Rest extends unknown[], Result>(
        at: Place,
        isMeant: (first: First) => boolean,
        port: (first: First, ...rest: Rest) => Result,
      ) =>
      (first: First, ...rest: Rest): Result => {
        if ((at === place || alsoFails(at, place)) && isMeant(first)) throw make();
        return port(first, ...rest);
      };
    const { undispatched, outbox } = stores;
    const isBad = ({ messageId }: RecordReference) => messageId === 'bad';
    const dispatcher = new MemoryDispatcher();
    const dispatch = failing(
      'dispatch',
      ([first]: readonly OutgoingOperation[]) => first?.id === 'out-0',
      (operations) => dispatcher.dispatch(operations),
    );
    const ports: RelayPorts = {
      clock,
      dispatcher: { dispatch },
      outbox: {
        find: failing('read', (messageId) => isBad({ messageId }), outbox.find.bind(outbox)),
        markDispatched: failing('mark', isBad, outbox.markDispatched.bind(outbox)),
        saveProgress: outbox.saveProgress.bind(outbox),
      },
      undispatched: {
        async *find(...given) {
          yield* undispatched.find(...given);
          if (place === 'find') throw make();
        },
        claim: failing('claim', isBad, undispatched.claim.bind(undispatched)),
        release: failing('release', isBad, undispatched.release.bind(undispatched)),
        postpone: failing('postpone', isBad, undispatched.postpone.bind(undispatched)),
        unlist: failing('unlist', isBad, undispatched.unlist.bind(undispatched)),
      },
    };
    const onRecord = failing(
      'onRecord',
      (messageId: string) => isBad({ messageId }),
      () => {},
    );
    return { dispatcher, result: await relayRecords(ports, { ...settings, onRecord }) };
  }

  /** A lease is given back only where something failed before. */
  function alsoFails(at: Place, place: Place): boolean {
    return (place === 'release' && at === 'read') || (place === 'postpone' && at === 'dispatch');
  }

  it('never fails, and tells each record and the end of the search in strings', async () => {
    const cases = fc.tuple(fc.constantFrom(...places), hostileThrown);
    const examples = places.flatMap((place) => oddThrown.map((make): [Place, Maker] => [place, make]));
    await holdsForAll(
      cases,
      60,
      async ([place, make]) => {
        const { dispatcher, result } = await thrownAt(place, make);
        const failed = ['find', 'onRecord'].includes(place) ? [] : ['bad'];
        expect(result.failed.map(({ messageId }) => messageId)).toEqual(failed);
        for (const { code, message } of result.failed) {
          expect([typeof code, typeof message]).toEqual(['string', 'string']);
        }
        expect(result).toMatchObject({
          found: 2,
          dispatched: 2 - failed.length,
          complete: place !== 'find',
        });
        expect(dispatcher.sent.map(({ id }) => id)).toContain('out-1');
      },
      examples,
    );
  });
});

let owners = 0;
const settings: RelaySettings = {
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

import { beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import fc from 'fast-check';
import { compress } from '../../lib/dynamodb/compression.ts';
import type { OutgoingOperation } from '../../lib/messages/message.ts';
import { createTable } from '../support/engines.ts';
import type { Item } from '../support/raw-items.ts';
import {
  type Change,
  changedItem,
  chunkedDamages,
  damagedChunks,
  rareRecordChanges,
  recordChanges,
  sagaChanges,
} from './damaged-items.ts';
import { fuzzTimeoutMs, holdsForAll } from './fuzz.ts';
import { expectAllCoded, expectSendable } from './ledger-checks.ts';
import { lockings } from './lockings.ts';
import {
  asked,
  chunkedItems,
  outgoing,
  recordItems,
  storedEndpoint,
  storedSagaItem,
} from './stored-endpoint.ts';

jest.setTimeout(fuzzTimeoutMs);

/** One attempt and its retry, at two messages, with the deletion of as many chunks as a record can have. */
const MAX_CALLS = 60;

let tableName: string;
let ids = 0;
const newId = () => {
  ids += 1;
  return `m-${ids}`;
};

beforeAll(async () => {
  tableName = await createTable();
});

/** Numbers come back as DynamoDB writes them. */
const withoutLease = ({ lease: _lease, ...item }: Item = {}) => item;

describe.each(lockings)('what is stored, and damaged, in %s mode', (_name, locking) => {
  let endpoint: ReturnType<typeof storedEndpoint>;
  beforeEach(() => {
    endpoint = storedEndpoint(tableName, locking);
  });

  /** The damaged message and a good one, which is handled whatever the other meets. */
  async function deliverBoth(id: string, goodId: string) {
    const delivered = await endpoint.deliver([asked(id, id), asked(goodId, goodId)]);
    expect(delivered.returned).not.toContain(`sqs-${goodId}`);
    expectAllCoded(delivered.reports.flatMap(({ error }) => error ?? []));
    expect(delivered.calls).toBeLessThan(MAX_CALLS);
    return delivered;
  }

  it('as an outbox record is dispatched whole, or kept as it is and told', async () => {
    const chunkless = fc
      .constantFrom(1, 3)
      .map((count) => Array.from({ length: count }, (_, n) => outgoing(n)));
    await holdsForAll(
      fc.tuple(chunkless, recordChanges),
      18,
      async ([operations, changes]) => {
        const [id, goodId] = [newId(), newId()];
        const [item = {}] = recordItems(tableName, id, operations);
        await endpoint.put(changedItem(item, changes));
        const before = await endpoint.record(id);

        const { returned, sent } = await deliverBoth(id, goodId);
        expect((await endpoint.saga(goodId))?.state?.M?.handled).toEqual({ L: [{ S: goodId }] });

        // The handler did not run for a message that has a record, whatever that looks like.
        expect(await endpoint.saga(id)).toBeUndefined();
        const after = await endpoint.record(id);
        if (returned.length === 0) expect(after?.dispatched).toEqual({ BOOL: true });
        else expect(after).toEqual(before);
        if (returned.length > 0 || before?.dispatched?.BOOL === true) expect(sent).toHaveLength(1);
        else expect(sent.length).toBe(1 + Number(after?.operationCount?.N) - cancelled(before));
        expectSendable(sent);
      },
      rareRecordChanges.map((changes): [OutgoingOperation[], Change[]] => [[outgoing(1)], changes]),
    );
  });

  it('as an outbox record in chunks is dispatched whole, or kept as it is and told', async () => {
    const outcomes = new Set<boolean>();
    await holdsForAll(chunkedDamages, 25, async (damage) => {
      const [id, goodId] = [newId(), newId()];
      const operations = [outgoing(1, 300), outgoing(2), outgoing(3, 300)];
      const [record = {}, ...chunks] = chunkedItems(tableName, id, operations, damage.chunkCount);
      await endpoint.put(changedItem(record, damage.changes));
      for (const chunk of damagedChunks(chunks, damage)) await endpoint.put(chunk);
      const before = await endpoint.recordItems(id);
      const wasDispatched = before.some(({ dispatched }) => dispatched?.BOOL === true);

      const { returned, sent } = await deliverBoth(id, goodId);
      expect(await endpoint.saga(id)).toBeUndefined();
      expectSendable(sent);

      const isDispatched = returned.length === 0 && !wasDispatched;
      outcomes.add(isDispatched);
      expect(sent).toHaveLength(isDispatched ? 1 + operations.length : 1);
      const after = await endpoint.recordItems(id);
      if (returned.length > 0) expect(after).toEqual(before);
      else expect(after.at(-1)?.dispatched).toEqual({ BOOL: true });
      if (isDispatched) expect(after).toHaveLength(1);
    });
    expect(outcomes.size).toBe(2);
  });

  it('as a saga is taken on, or kept as it is and told', async () => {
    const compressed = (json: string): Change => ['state', { B: compress(Buffer.from(json)) }];
    const rareChanges: [boolean, Change[]][] = [
      [true, []],
      [true, [compressed('{"handled":{"S":5}}')]],
      [true, [compressed('{"handled":"earlier"}')]],
      [true, [['encoding', { S: 'zstd' }]]],
      [false, [['encoding', { S: 'br' }]]],
    ];
    await holdsForAll(
      fc.tuple(fc.boolean(), sagaChanges),
      30,
      async ([isCompressed, changes]) => {
        const [id, goodId] = [newId(), newId()];
        await endpoint.put(changedItem(storedSagaItem(id, isCompressed), changes));
        const before = await endpoint.saga(id);

        const { returned, sent } = await deliverBoth(id, goodId);

        const [after, record] = [await endpoint.saga(id), await endpoint.record(id)];
        const isHandled = returned.length === 0;
        expect(record?.dispatched).toEqual(isHandled ? { BOOL: true } : undefined);
        expect(sent).toHaveLength(isHandled ? 2 : 1);
        if (isHandled) expect(after?.state?.M?.handled?.L).toContainEqual({ S: id });
        else if (before?.version) expect(withoutLease(after)).toEqual(withoutLease(before));
      },
      rareChanges,
    );
  });
});

/** The cancellations of the one record that may have them: nothing is sent for them. */
function cancelled(item: Item | undefined): number {
  const operations = Buffer.from(item?.operations?.B ?? []).toString();
  return operations.split('"cancels"').length - 1;
}

import { beforeAll, describe, expect, it, jest } from '@jest/globals';
import fc from 'fast-check';
import { inboxBytes } from '../../lib/outbox/embedded/inbox.ts';
import { createTable } from '../support/engines.ts';
import type { Item } from '../support/raw-items.ts';
import { type Change, changedItem, embeddedChanges, rareEmbeddedChanges } from './damaged-items.ts';
import { fuzzTimeoutMs, holdsForAll } from './fuzz.ts';
import { hostileString } from './hostile-values.ts';
import { expectAllCoded, expectSendable } from './ledger-checks.ts';
import { lockings } from './lockings.ts';
import { asked, storedEmbeddedItem, storedEndpoint } from './stored-endpoint.ts';

jest.setTimeout(fuzzTimeoutMs);

/** One attempt and its retry, at two messages. */
const MAX_CALLS = 40;

let tableName: string;
let ids = 0;
const newId = () => {
  ids += 1;
  return `m-${ids}`;
};

beforeAll(async () => {
  tableName = await createTable();
});

const withoutLease = ({ lease: _lease, ...item }: Item = {}) => item;
const handledIn = (item: Item | undefined) => item?.state?.M?.handled?.L?.map(({ S }) => S) ?? [];

describe.each(lockings)('a saga with an embedded outbox in %s mode', (_name, locking) => {
  const endpoint = () => storedEndpoint(tableName, locking, 'embedded');

  it('whose item is damaged is taken on, or kept as it is and told', async () => {
    const outcomes = new Set<boolean>();
    await holdsForAll(
      fc.tuple(fc.constantFrom('new', 'handled', 'pending'), embeddedChanges),
      25,
      async ([kind, changes]) => {
        const { deliver, put, saga } = endpoint();
        const [id, goodId] = [newId(), newId()];
        const message = `${id}-${kind}`;
        await put(changedItem(storedEmbeddedItem(id, `${id}-handled`, `${id}-pending`), changes));
        const before = await saga(id);

        const { returned, reports, sent, calls } = await deliver([asked(message, id), asked(goodId, goodId)]);
        expect(returned).not.toContain(`sqs-${goodId}`);
        expect(handledIn(await saga(goodId))).toEqual([goodId]);
        expectAllCoded(reports.flatMap(({ error }) => error ?? []));
        expectSendable(sent);
        expect(calls).toBeLessThan(MAX_CALLS);

        const after = await saga(id);
        outcomes.add(returned.length === 0);
        if (returned.length > 0) {
          if (before?.version) expect(withoutLease(after)).toEqual(withoutLease(before));
          return;
        }
        const outcome = reports.findLast(({ messageId }) => messageId === message)?.outcome;
        // Also one whose id was in an inbox that is replaced by another whole one.
        if (outcome === 'handled') expect(handledIn(after).at(-1)).toBe(message);
        else expect(after?.state).toEqual(before?.state);
        if (outcome === 'redispatched') expect(after?.pending).toEqual({ M: {} });
      },
      rareEmbeddedChanges.map((changes): [string, Change[]] => ['pending', changes]),
    );
    expect(outcomes.size).toBe(2);
  });

  it('handles messages once, whatever is in their ids', async () => {
    const hostileIds = fc.uniqueArray(
      hostileString.map((text) => text.toWellFormed()),
      {
        minLength: 1,
        maxLength: 5,
      },
    );
    // Those of over 512 bytes are hashed, and their items are not found by the saga's id.
    const sagaIds = hostileString.map((text) => text.toWellFormed().slice(0, 150));
    await holdsForAll(fc.tuple(hostileIds, sagaIds), 15, async ([messageIds, sagaId]) => {
      const { deliver, saga } = endpoint();
      const id = `${newId()} ${sagaId}`;
      const records = messageIds.map((messageId) => asked(messageId, id));
      const { reports } = await deliver(records);
      expectAllCoded(reports.flatMap(({ error }) => error ?? []));
      const handled = reports
        .filter(({ outcome }) => outcome === 'handled')
        .map((report) => report.messageId);
      expect(handledIn(await saga(id))).toEqual(handled);
      expect((await saga(id))?.pending ?? { M: {} }).toEqual({ M: {} });

      const again = await deliver(records);
      expect(handledIn(await saga(id))).toEqual(handled);
      expect(again.reports.filter(({ outcome }) => outcome === 'duplicate')).toHaveLength(handled.length);
      expect(again.sent).toEqual([]);
    });
  });

  it.each([
    ['of a schema that is not known', { schemaVersion: { N: '4' } }, 'UnreadableItem'],
    ['of no schema', { schemaVersion: undefined }, 'UnreadableItem'],
    ['of another form', { schemaVersion: { N: '3' } }, 'OtherSagaForm'],
    ['of another endpoint', { endpoint: { S: 'another' } }, 'SagaOfOtherEndpoint'],
  ] as const)('whose item is %s keeps its message', async (_what, change, code) => {
    const { deliver, put, saga } = endpoint();
    const id = newId();
    await put(changedItem(storedEmbeddedItem(id, 'm-h', 'm-p'), Object.entries(change)));
    const before = await saga(id);
    for (const message of ['m-h', 'm-p', 'm-new']) {
      const { returned, reports, sent } = await deliver([asked(message, id)]);
      expect([returned, sent]).toEqual([[`sqs-${message}`], []]);
      expect(reports.map(({ error }) => error)).toEqual([expect.objectContaining({ code })]);
    }
    expect(await saga(id)).toEqual(before);
  });

  it('that has expired is as if it were not there, where no time to live deletes it', async () => {
    const { deliver, put, saga } = endpoint();
    const id = newId();
    const { state, ...item } = storedEmbeddedItem(id, 'm-h', 'm-p');
    expect(state).toBeDefined();
    await put({ ...item, pending: { M: {} }, overflowed: { BOOL: true }, ExpiresAt: { N: '1767225600' } });
    const { reports } = await deliver([asked('m-h', id)]);
    expect(reports.map(({ outcome }) => outcome)).toEqual(['handled']);
    const anew = await saga(id);
    expect(handledIn(anew)).toEqual(['m-h']);
    expect(anew?.inbox?.B).toHaveLength(inboxBytes(1));
    expect([anew?.ExpiresAt, anew?.overflowed]).toEqual([undefined, undefined]);
  });
});

import { beforeEach, describe, expect, it } from '@jest/globals';
import { CapacityMeter } from '../../lib/dynamodb/capacity-meter.ts';
import { SagaboxError } from '../../lib/kernel/errors/errors.ts';
import type { OutboxStore } from '../../lib/outbox/outbox-store.ts';
import { type RelaySettings, relayRecords } from '../../lib/relay/relay.ts';
import type { UndispatchedRecords } from '../../lib/relay/undispatched-records.ts';
import type { Dispatcher } from '../../lib/sending/dispatcher.ts';
import { MemoryDispatcher } from '../../lib/testing/memory/dispatcher.ts';
import { at, storedRecord } from '../support/commits.ts';
import { MovingClock } from '../support/moving-clock.ts';
import { outgoingMessage } from '../support/outgoing-messages.ts';
import { memoryRelay, type RelayStores } from '../support/relay-subject.ts';

const meter = new CapacityMeter();
const olderThanMs = 900_000;
const leaseDurationMs = 300_000;

let clock: MovingClock;
let stores: RelayStores;
let dispatcher: MemoryDispatcher;
let owners: number;

beforeEach(() => {
  clock = new MovingClock(at);
  stores = memoryRelay();
  dispatcher = new MemoryDispatcher();
  owners = 0;
});

async function commit(...messageIds: string[]): Promise<void> {
  for (const messageId of messageIds) {
    await stores.committer.commit(
      storedRecord(messageId, [outgoingMessage({ id: `of-${messageId}` })]),
      meter,
    );
  }
}

/** Records that are old enough for the relay. */
async function commitOverdue(...messageIds: string[]): Promise<void> {
  await commit(...messageIds);
  clock.pass(olderThanMs + 1);
}

const run = (
  parts: Partial<typeof stores & { dispatcher: Dispatcher }> = {},
  settings: Partial<RelaySettings> = {},
) =>
  relayRecords(
    { ...stores, clock, dispatcher, ...parts },
    {
      olderThanMs,
      leaseDurationMs,
      concurrency: 10,
      includePostponed: false,
      newLeaseOwner: () => `owner-${owners++}`,
      signal: new AbortController().signal,
      ...settings,
    },
  );

function undispatchedBut(overrides: Partial<UndispatchedRecords>): UndispatchedRecords {
  const { undispatched } = stores;
  return {
    find: undispatched.find.bind(undispatched),
    claim: undispatched.claim.bind(undispatched),
    postpone: undispatched.postpone.bind(undispatched),
    release: undispatched.release.bind(undispatched),
    unlist: undispatched.unlist.bind(undispatched),
    ...overrides,
  };
}

function outboxBut(overrides: Partial<OutboxStore>): OutboxStore {
  const { outbox } = stores;
  return {
    find: outbox.find.bind(outbox),
    saveProgress: outbox.saveProgress.bind(outbox),
    markDispatched: outbox.markDispatched.bind(outbox),
    ...overrides,
  };
}

const refusing: Dispatcher = { dispatch: () => Promise.reject(new Error('refused')) };

/** Sends all but one operation. */
const refusingOnly = (id: string, error: Error = new Error('refused')): Dispatcher => ({
  async dispatch(operations) {
    if (operations.some((operation) => operation.id === id)) throw error;
    await dispatcher.dispatch(operations);
  },
});

const sentIds = () => dispatcher.sent.map(({ id }) => id).toSorted();
const nothing = { found: 0, dispatched: 0, held: 0, postponed: 0, settled: 0, failed: [], complete: true };

describe('a run of the relay', () => {
  it('dispatches what is older than the threshold, with its stored ids, and nothing younger', async () => {
    await commit('m1', 'm2');
    clock.pass(olderThanMs);
    expect(await run()).toMatchObject(nothing);
    clock.pass(1);
    expect(await run()).toMatchObject({ ...nothing, found: 2, dispatched: 2 });
    expect(sentIds()).toEqual(['of-m1', 'of-m2']);
    expect(await run()).toMatchObject(nothing);
  });

  it('takes off the list what it dispatched or found settled, and what is held, postponed or failed stays', async () => {
    await commitOverdue('sent', 'settled', 'held', 'postponed', 'failed');
    const unlisted: string[] = [];
    const undispatched = undispatchedBut({
      claim: async (record, ...terms) =>
        record.messageId === 'settled' || record.messageId === 'held' || record.messageId === 'postponed'
          ? record.messageId
          : await stores.undispatched.claim(record, ...terms),
      unlist: async ({ messageId }) => void unlisted.push(messageId),
    });
    await run({ undispatched, dispatcher: refusingOnly('of-failed') });
    expect(unlisted.toSorted()).toEqual(['sent', 'settled']);
  });

  it('tells of what it could not take off the list, which the next run does', async () => {
    await commitOverdue('m1');
    const unlist = () =>
      Promise.reject(new SagaboxError('Throttled', { operation: 'DeleteItem', reason: 'r' }));
    const result = await run({ undispatched: undispatchedBut({ unlist }) });
    expect(result.failed).toMatchObject([{ messageId: 'm1', code: 'Throttled' }]);
    expect(sentIds()).toEqual(['of-m1']);
  });

  it('tells when the oldest record was stored that it leaves undispatched, also one that it does not try', async () => {
    const storedAt = clock.now();
    await commitOverdue('m1');
    await commitOverdue('m2');
    expect((await run({ dispatcher: refusingOnly('of-m1') })).oldestStoredAt).toEqual(storedAt);
    // By now it is postponed.
    expect(await run()).toMatchObject({ found: 1, postponed: 1, oldestStoredAt: storedAt });
    const last = await run({}, { includePostponed: true });
    expect(last).toMatchObject({ dispatched: 1 });
    expect(last).not.toHaveProperty('oldestStoredAt');
  });

  it('at the same time as others sends no second copy', async () => {
    await commitOverdue(...Array.from({ length: 30 }, (_, index) => `m${index}`));
    const results = await Promise.all([run(), run(), run()]);
    expect(results.reduce((sum, { dispatched }) => sum + dispatched, 0)).toBe(30);
    expect(new Set(sentIds()).size).toBe(30);
    expect(dispatcher.sent).toHaveLength(30);
    for (const { found, dispatched, held, settled } of results)
      expect(dispatched + held + settled).toBe(found);
  });

  it('that ends in the middle of a record keeps what it has sent, and gives the record back', async () => {
    await commitOverdue('m1');
    const controller = new AbortController();
    const ending: Dispatcher = {
      dispatch: async (operations, { signal, onTaken } = {}) => {
        onTaken?.(operations.map(({ id }) => id));
        controller.abort(new Error('time is up'));
        signal?.throwIfAborted();
      },
    };
    const result = await run({ dispatcher: ending }, { signal: controller.signal });
    expect(result).toMatchObject({ ...nothing, found: 1, complete: false });
    expect(await run()).toMatchObject({ ...nothing, found: 1, dispatched: 1 });
    expect(sentIds()).toEqual([]);
  });

  it('that dies after its claim is made up for when the lease is over', async () => {
    await commitOverdue('m1');
    void run({ dispatcher: { dispatch: () => new Promise(() => {}) } });
    await new Promise(setImmediate);
    expect(await run()).toMatchObject({ found: 1, held: 1, dispatched: 0, complete: true });
    clock.pass(leaseDurationMs + 1);
    expect(await run()).toMatchObject({ found: 1, dispatched: 1 });
    expect(sentIds()).toEqual(['of-m1']);
  });

  it('that dies between dispatch and mark is repeated, with the same ids', async () => {
    await commitOverdue('m1');
    void run({ outbox: outboxBut({ markDispatched: () => new Promise<never>(() => {}) }) });
    await new Promise(setImmediate);
    clock.pass(leaseDurationMs + 1);
    expect(await run()).toMatchObject({ ...nothing, found: 1, dispatched: 1 });
    expect(sentIds()).toEqual(['of-m1', 'of-m1']);
  });

  it('that cannot mark what it has sent leaves just that to a later one', async () => {
    await commitOverdue('m1');
    const failing = outboxBut({ markDispatched: () => Promise.reject(new Error('died')) });
    expect(await run({ outbox: failing })).toMatchObject({
      dispatched: 0,
      failed: [{ messageId: 'm1', code: 'Error' }],
    });
    expect(await run()).toMatchObject({ ...nothing, found: 1, postponed: 1 });
    expect(await run({}, { includePostponed: true })).toMatchObject({ dispatched: 1 });
    expect(sentIds()).toEqual(['of-m1']);
  });

  it('tells what could not be dispatched, postpones it, and goes on', async () => {
    await commitOverdue('m1', 'm2', 'm3');
    const gone = new SagaboxError('DispatchRefused', { destination: 'billing', failures: ['it is gone'] });
    expect(await run({ dispatcher: refusingOnly('of-m2', gone) })).toMatchObject({
      found: 3,
      dispatched: 2,
      failed: [{ messageId: 'm2', code: 'DispatchRefused', message: expect.stringContaining('it is gone') }],
      complete: true,
    });
    expect(await run()).toMatchObject({ ...nothing, found: 1, postponed: 1 });
    expect(sentIds()).toEqual(['of-m1', 'of-m3']);
  });

  it('tries a record that failed again when it is half as old again, or at once when it is told to', async () => {
    await commit('m1');
    clock.pass(2 * olderThanMs);
    expect(await run({ dispatcher: refusing })).toMatchObject({ failed: [{ messageId: 'm1' }] });
    clock.pass(olderThanMs);
    expect(await run()).toMatchObject({ ...nothing, found: 1, postponed: 1 });
    expect(await run({ dispatcher: refusing }, { includePostponed: true })).toMatchObject({
      postponed: 0,
      failed: [{ messageId: 'm1' }],
    });
    clock.pass(1.5 * olderThanMs);
    expect(await run()).toMatchObject({ postponed: 1 });
    clock.pass(1);
    expect(await run()).toMatchObject({ ...nothing, found: 1, dispatched: 1 });
  });

  it('every 15 minutes for 8 days sends few copies of the good messages of a record with a bad one', async () => {
    const [good, bad] = [outgoingMessage({ id: 'good' }), outgoingMessage({ id: 'bad' })];
    await stores.committer.commit(storedRecord('m1', [good, bad]), meter);
    const halfRefusing: Dispatcher = {
      async dispatch(operations) {
        await dispatcher.dispatch(operations.filter(({ id }) => id !== 'bad'));
        throw new SagaboxError('DispatchRefused', { destination: 'gone', failures: ['it is gone'] });
      },
    };
    clock.pass(1);
    const copiesByDay: number[] = [];
    for (let day = 0; day < 8; day += 1) {
      for (let quarter = 0; quarter < 96; quarter += 1) {
        clock.pass(900_000);
        await run({ dispatcher: halfRefusing });
      }
      copiesByDay.push(dispatcher.sent.length);
    }
    // By a run each it would be 768.
    expect(copiesByDay).toEqual([10, 11, 12, 13, 14, 15, 16, 17]);
    expect(await run({}, { includePostponed: true })).toMatchObject({ dispatched: 1 });
  });

  it('postpones none beyond a day', async () => {
    await commit('m1');
    clock.pass(365 * 86_400_000);
    await run({ dispatcher: refusing });
    clock.pass(86_400_000);
    expect(await run()).toMatchObject({ postponed: 1 });
    clock.pass(1);
    expect(await run()).toMatchObject({ dispatched: 1 });
  });

  it('gives a record back at once when it cannot be read: nothing of it was sent', async () => {
    await commitOverdue('m1');
    const unreadable = outboxBut({ find: () => Promise.reject(new Error('no answer')) });
    expect(await run({ outbox: unreadable })).toMatchObject({ failed: [{ message: 'no answer' }] });
    expect(await run()).toMatchObject({ ...nothing, found: 1, dispatched: 1 });
  });

  it('tells the failure also when the record can be neither postponed nor given back', async () => {
    await commitOverdue('m1');
    const noAnswer = () => Promise.reject(new Error('no answer'));
    const stuck = undispatchedBut({ postpone: noAnswer, release: noAnswer });
    const { failed } = await run({ undispatched: stuck, dispatcher: refusing });
    expect(failed).toEqual([{ messageId: 'm1', code: 'Error', message: 'refused' }]);
    clock.pass(leaseDurationMs + 1);
    const unread = outboxBut({ find: () => Promise.reject(new Error('unread')) });
    const result = await run({ undispatched: stuck, outbox: unread });
    expect(result.failed).toEqual([{ messageId: 'm1', code: 'Error', message: 'unread' }]);
  });

  it.each<[string, () => void | Promise<void>]>([
    [
      'throws',
      () => {
        throw new Error('full');
      },
    ],
    ['rejects', () => Promise.reject(new Error('full'))],
  ])('counts each record once and goes on when what it tells %s', async (_how, onRecord) => {
    await commitOverdue('m1', 'm2', 'm3');
    const result = await run({ dispatcher: refusingOnly('of-m2') }, { onRecord, concurrency: 1 });
    expect(result).toMatchObject({ found: 3, dispatched: 2, complete: true });
    expect(result.failed).toEqual([{ messageId: 'm2', code: 'Error', message: 'refused' }]);
  });

  it.each<[string, (dispatchIt: () => Promise<void>) => Partial<UndispatchedRecords>]>([
    [
      'the search and the claim',
      (dispatchIt) => ({
        async *find(...args) {
          for await (const id of stores.undispatched.find(...args)) {
            await dispatchIt();
            yield id;
          }
        },
      }),
    ],
    [
      'the claim and the reading',
      (dispatchIt) => ({
        async claim(...args) {
          const outcome = await stores.undispatched.claim(...args);
          await dispatchIt();
          return outcome;
        },
      }),
    ],
  ])('leaves alone what a delivery of its message dispatched between %s', async (_when, slow) => {
    await commitOverdue('m1');
    const record = await stores.outbox.find('m1', meter);
    const dispatchIt = async () => record && (await stores.outbox.markDispatched(record, at, meter));
    const undispatched = undispatchedBut(slow(dispatchIt));
    expect(await run({ undispatched })).toMatchObject({ found: 1, settled: 1, dispatched: 0 });
    expect(dispatcher.sent).toEqual([]);
  });

  it('that is told to stop brings to its end what it has in hand, and leaves the rest', async () => {
    await commitOverdue('m1', 'm2', 'm3');
    const controller = new AbortController();
    const stopping: Dispatcher = {
      async dispatch(operations) {
        controller.abort();
        await dispatcher.dispatch(operations);
      },
    };
    const settings = { concurrency: 1, signal: controller.signal };
    expect(await run({ dispatcher: stopping }, settings)).toMatchObject({ dispatched: 1, complete: false });
    expect(await run({}, settings)).toMatchObject({ ...nothing, complete: false });
    expect(await run()).toMatchObject({ dispatched: 2, complete: true });
  });

  it('that is told to stop begins nothing more of what its search still finds', async () => {
    await commitOverdue('m1', 'm2');
    const controller = new AbortController();
    const deaf = undispatchedBut({
      async *find() {
        yield { messageId: 'm1', storedAt: at };
        controller.abort();
        yield { messageId: 'm2', storedAt: at };
      },
    });
    const settings = { concurrency: 1, signal: controller.signal };
    expect(await run({ undispatched: deaf }, settings)).toMatchObject({
      ...nothing,
      found: 1,
      dispatched: 1,
      complete: false,
    });
  });

  it('that is told to stop before it begins does not search at all', async () => {
    let searched = false;
    const searching = undispatchedBut({
      find: (...args) => {
        searched = true;
        return stores.undispatched.find(...args);
      },
    });
    await run({ undispatched: searching }, { signal: AbortSignal.abort() });
    expect(searched).toBe(false);
  });

  it('leaves alone what is gone between the claim and the reading', async () => {
    await commitOverdue('m1');
    const emptied = outboxBut({ find: async () => undefined });
    expect(await run({ outbox: emptied })).toMatchObject({ ...nothing, found: 1, settled: 1 });
  });

  it('tells of what it dispatched or could not, and of nothing that it left alone', async () => {
    await commitOverdue('m1', 'm2', 'm3');
    const told: string[] = [];
    const { undispatched } = stores;
    const held = undispatchedBut({
      claim: async (...args) => (args[0].messageId === 'm2' ? 'held' : await undispatched.claim(...args)),
    });
    await run(
      { undispatched: held, dispatcher: refusingOnly('of-m3') },
      { onRecord: (messageId) => void told.push(messageId) },
    );
    expect(told.toSorted()).toEqual(['m1', 'm3']);
  });

  it('ends with the search, and tells what was done so far', async () => {
    await commitOverdue('m1');
    const { undispatched } = stores;
    const broken = undispatchedBut({
      async *find(...args) {
        yield* undispatched.find(...args);
        throw new SagaboxError('TableNotFound', { tableNames: ['outbox'] });
      },
    });
    const result = await run({ undispatched: broken });
    expect(result).toMatchObject({ found: 1, dispatched: 1, complete: false });
    expect(result.searchError).toMatchObject({ code: 'TableNotFound' });
  });

  it('works on no more records at a time than it may', async () => {
    await commitOverdue(...Array.from({ length: 12 }, (_, index) => `m${index}`));
    let [running, most] = [0, 0];
    const counting: Dispatcher = {
      async dispatch() {
        running += 1;
        most = Math.max(most, running);
        await new Promise(setImmediate);
        running -= 1;
      },
    };
    const seen: string[] = [];
    await run(
      { dispatcher: counting },
      { concurrency: 3, onRecord: (messageId) => void seen.push(messageId) },
    );
    expect(most).toBe(3);
    expect(new Set(seen).size).toBe(12);
  });
});

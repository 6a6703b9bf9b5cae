import type { LeftSaga, StoredSagaUnderTest } from './stored-saga-under-test.ts';

/** What a store has to do, and how that shows on a saga of its own and on another one. */
interface StoreRule {
  readonly rule: string;
  check(saga: StoredSagaUnderTest, other: StoredSagaUnderTest): Promise<void>;
}

export interface CheckedStore {
  readonly states: readonly unknown[];
  readonly keepsDetails: boolean;
  readonly hasConditions: boolean;
  readonly ends: boolean;
}

export function rulesOf(store: CheckedStore): StoreRule[] {
  const { keepsDetails, hasConditions, ends } = store;
  return [
    ...changesOf(store),
    ...(keepsDetails ? detailsOf(store) : []),
    ...(hasConditions ? conflictsOf(store) : []),
    ...(ends ? endsOf(store) : []),
    ...(ends && hasConditions ? livesOf(store) : []),
  ];
}

function firstTwo({ states: [first, second] }: CheckedStore): [first: LeftSaga, second: LeftSaga] {
  return [{ state: first }, { state: second }];
}

/** @returns the saga as the last of the states has left it */
async function walk(saga: StoredSagaUnderTest, { states: [first, ...others] }: CheckedStore) {
  let stored = await saga.start({ state: first });
  for (const state of others) stored = await saga.change(stored, { state });
  return stored;
}

function changesOf(store: CheckedStore): StoreRule[] {
  const [first, second] = firstTwo(store);
  return [
    {
      rule: 'A saga is absent until it starts',
      async check(saga) {
        await saga.expectAbsent('before its start');
        await saga.check(undefined);
        await saga.expectAbsent('after the check of that');
      },
    },
    {
      rule: 'A saga is as the last message left it',
      async check(saga) {
        await saga.check(await walk(saga, store));
      },
    },
    {
      rule: 'Sagas are kept apart by their ids',
      async check(saga, other) {
        await saga.start(first);
        await other.expectAbsent('after the start of another saga');
        await other.start(second);
        const stored = await saga.expectStored('after the start of another saga', first.state);
        if (!store.ends) return;
        await saga.end(stored);
        await other.expectStored('after the end of another saga', second.state);
      },
    },
  ];
}

function timeout(digit: number) {
  const id = `0b9f2c1e-7d4a-4f43-9a36-6f0c6e2d1a5${digit}`;
  return { id, type: 'Overdue', scheduled: digit % 2 === 1 };
}

function detailsOf(store: CheckedStore): StoreRule[] {
  const [first, second] = firstTwo(store);
  return [
    {
      rule: 'The details of a change are kept',
      async check(saga) {
        // Messages of one batch are one change.
        const timeouts = [timeout(1), timeout(2)];
        const started = await saga.start({ ...first, timeouts, stateVersion: 2, changes: 2 });
        const others = [timeout(2), timeout(3)];
        const changed = await saga.change(started, {
          ...second,
          timeouts: others,
          stateVersion: 3,
          changes: 3,
        });
        await saga.change(changed, { ...first, stateVersion: 3 });
      },
    },
  ];
}

function conflictsOf(store: CheckedStore): StoreRule[] {
  const [first, second] = firstTwo(store);
  const { keepsDetails, ends } = store;
  const ofDetails: StoreRule = {
    rule: 'A saga of which another message has changed the details since it was read is not written',
    async check(saga) {
      const read = await saga.start(first);
      await saga.change(read, { ...first, timeouts: [timeout(1)] });
      await saga.refuseWrites('on what was read before that', read, second, ends);
    },
  };
  return [
    {
      rule: 'A saga starts once',
      async check(saga) {
        await saga.start(first);
        await saga.refuseStart(second);
      },
    },
    {
      rule: 'A saga that another message has changed since it was read is not written',
      async check(saga) {
        const read = await saga.start(first);
        await saga.change(read, second);
        await saga.refuseWrites('on what was read before that', read, second, ends);
      },
    },
    ...(keepsDetails ? [ofDetails] : []),
  ];
}

function endsOf(store: CheckedStore): StoreRule[] {
  return [
    {
      rule: 'Nothing is left of a saga that has ended',
      async check(saga) {
        await saga.end(await walk(saga, store));
        await saga.check(undefined);
        await walk(saga, store);
      },
    },
  ];
}

function livesOf(store: CheckedStore): StoreRule[] {
  const [first, second] = firstTwo(store);
  return [
    {
      rule: 'A saga that has ended since it was read is not written, also if it has started anew',
      async check(saga) {
        const read = await saga.start(first);
        await saga.end(read);
        await saga.refuseWrites('after its end', read, second, true);
        // Without details, a condition on what the handler decided on need not tell equal states apart.
        await saga.start(store.keepsDetails ? first : second);
        await saga.refuseWrites('after its new start', read, second, true);
      },
    },
  ];
}

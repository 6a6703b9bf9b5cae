import type { LeftSaga, StoredSagaUnderTest } from './stored-saga-under-test.ts';

/** What a store has to do, and how that shows on a saga of its own. */
interface StoreRule {
  readonly rule: string;
  check(saga: StoredSagaUnderTest): Promise<void>;
}

interface CheckedStore {
  readonly states: readonly unknown[];
  readonly keepsDetails: boolean;
  readonly hasConditions: boolean;
  readonly ends: boolean;
}

export function rulesOf({ states, keepsDetails, hasConditions, ends }: CheckedStore): StoreRule[] {
  const [first, second] = states.map((state): LeftSaga => ({ state })) as [LeftSaga, LeftSaga];
  return [
    ...changesOf(states, first),
    ...(keepsDetails ? detailsOf(first, second) : []),
    ...(hasConditions ? conflictsOf(first, second) : []),
    ...(ends ? endsOf(first) : []),
    ...(ends && hasConditions ? livesOf(first, second) : []),
  ];
}

function changesOf(states: readonly unknown[], first: LeftSaga): StoreRule[] {
  return [
    {
      rule: 'A saga is absent until it starts',
      async check(saga) {
        await saga.expectAbsent('before its start');
        await saga.commit('the check that it is absent', saga.check(undefined));
        await saga.expectAbsent('after that check');
      },
    },
    {
      rule: 'A saga is as the last message left it',
      async check(saga) {
        await saga.commit('its start', saga.start(first));
        let stored = await saga.expectStored('after its start', first, 1);
        for (const [index, state] of states.entries()) {
          if (index === 0) continue;
          await saga.commit(`change ${index}`, saga.change(stored, { state }));
          stored = await saga.expectStored(`after change ${index}`, { state }, index + 1);
        }
        await saga.commit('the check of a saga that nobody has changed', saga.check(stored));
      },
    },
  ];
}

function detailsOf(first: LeftSaga, second: LeftSaga): StoreRule[] {
  const timeouts = [{ id: '0b9f2c1e-7d4a-4f43-9a36-6f0c6e2d1a55', type: 'Overdue', scheduled: true }];
  return [
    {
      rule: 'The details of a change are kept',
      async check(saga) {
        const started = { ...first, timeouts, stateVersion: 2 };
        await saga.commit('its start', saga.start(started));
        const stored = await saga.expectStored('after its start', started, 1);
        const changed = { ...second, stateVersion: 3 };
        await saga.commit('a change', saga.change(stored, changed));
        await saga.expectStored('after a change', changed, 2);
      },
    },
  ];
}

function conflictsOf(first: LeftSaga, second: LeftSaga): StoreRule[] {
  return [
    {
      rule: 'A saga starts once',
      async check(saga) {
        await saga.commit('its start', saga.start(first));
        await saga.expectRefused('a second start', saga.start(second));
        await saga.expectRefused('the check that it is absent', saga.check(undefined));
      },
    },
    {
      rule: 'A saga that another message has changed since it was read is not written',
      async check(saga) {
        await saga.commit('its start', saga.start(first));
        const read = await saga.expectStored('after its start', first, 1);
        await saga.commit('the change of another message', saga.change(read, second));
        await saga.expectRefused('a change', saga.change(read, second));
        await saga.expectRefused('its end', saga.end(read));
        await saga.expectRefused('the check that it is as read', saga.check(read));
      },
    },
  ];
}

function endsOf(first: LeftSaga): StoreRule[] {
  return [
    {
      rule: 'Nothing is left of a saga that has ended',
      async check(saga) {
        await saga.commit('its start', saga.start(first));
        await saga.commit('its end', saga.end(await saga.expectStored('after its start', first, 1)));
        await saga.expectAbsent('after its end');
        await saga.commit('the check that it is absent', saga.check(undefined));
        await saga.commit('its start after that', saga.start(first));
        await saga.expectStored('after that start', first, 1);
      },
    },
  ];
}

function livesOf(first: LeftSaga, second: LeftSaga): StoreRule[] {
  return [
    {
      rule: 'A saga that has ended and started anew since it was read is not written',
      async check(saga) {
        await saga.commit('its start', saga.start(first));
        const read = await saga.expectStored('after its start', first, 1);
        await saga.commit('its end', saga.end(read));
        await saga.expectRefused('a change after its end', saga.change(read, second));
        // Another state, as conditions on what a handler decided on need not tell equal ones apart.
        await saga.commit('its start after that', saga.start(second));
        await saga.expectRefused('a change', saga.change(read, second));
        await saga.expectRefused('its end', saga.end(read));
        await saga.expectRefused('the check that it is as read', saga.check(read));
      },
    },
  ];
}

import { describe, expect, it } from '@jest/globals';
import type { Commit } from '../../lib/outbox/commit.ts';
import type { SagaWrite } from '../../lib/saga/saga-state.ts';
import { commitOf, orderSaga } from '../support/commits.ts';
import { sagaboxErrorOf } from '../support/error-of.ts';
import { sagaCompletion, sagaCreation, sagaUpdate } from '../support/saga-writes.ts';
import type { OpenSubject } from './ports-contract.ts';

const outcomes = {
  create: 'could not be created, possibly due to a concurrency conflict',
  update: 'could not be updated: it was updated by another process or no longer exists',
  complete: 'could not be completed: it was updated by another process or no longer exists',
};

const created = [sagaCreation({ step: 1 })];
const updated = [...created, sagaUpdate({ step: 2 }, 1)];
const completed = [...created, sagaCompletion(1)];

const lost = { step: 'lost' };

const conflicts: [
  name: string,
  history: readonly Commit[],
  operation: keyof typeof outcomes,
  attempt: Commit,
  versionAfter: number | undefined,
][] = [
  ['creating a saga that exists', created, 'create', sagaCreation(lost), 1],
  ['updating from a version that was left behind', updated, 'update', sagaUpdate(lost, 1), 2],
  ['updating from a version that is not there yet', created, 'update', sagaUpdate(lost, 2), 1],
  ['updating a saga that was completed', completed, 'update', sagaUpdate(lost, 1), undefined],
  ['completing from a version that was left behind', updated, 'complete', sagaCompletion(1), 2],
  ['completing a saga that was completed', completed, 'complete', sagaCompletion(1), undefined],
];

export function describeSagaConcurrency(open: OpenSubject): void {
  describe('saga versions', () => {
    it('are absent before the saga is created', async () => {
      const { sagas } = (await open()).ports('orders');
      expect(await sagas.load(orderSaga)).toBeUndefined();
    });

    it('start at 1 and grow by 1 with each update', async () => {
      const { sagas, committer } = (await open()).ports('orders');
      const versions: unknown[] = [];
      for (const commit of [...updated, sagaUpdate({ step: 3 }, 2)]) {
        await committer.commit(commit);
        versions.push((await sagas.load(orderSaga))?.revision.version);
      }
      expect(versions).toEqual([1, 2, 3]);
    });

    it('are gone with the saga, and start again at 1', async () => {
      const { sagas, committer } = (await open()).ports('orders');
      for (const commit of [...updated, sagaCompletion(2)]) {
        await committer.commit(commit);
      }
      expect(await sagas.load(orderSaga)).toBeUndefined();

      await committer.commit(sagaCreation({ step: 'again' }));
      expect((await sagas.load(orderSaga))?.revision.version).toBe(1);
    });

    it.each(['update', 'complete'] as const)(
      'refuse to %s a saga that was completed and started anew since it was read, at the same version',
      async (operation) => {
        const { sagas, committer } = (await open()).ports('orders');
        await committer.commit(sagaCreation({ life: 'first' }));
        const first = await sagas.load(orderSaga);
        if (first === undefined) throw new Error('The saga is not stored');
        await committer.commit(sagaCompletion(1));
        await committer.commit(sagaCreation({ life: 'second' }));

        const { revision: read, createdAt } = first;
        const late: SagaWrite =
          operation === 'complete'
            ? { kind: 'complete', saga: orderSaga, read }
            : { kind: 'update', saga: orderSaga, state: { life: 'late' }, timeouts: [], read, createdAt };
        const error = await sagaboxErrorOf(committer.commit(commitOf({ saga: late })));

        expect(error.code).toBe('SagaConcurrency');
        expect((await sagas.load(orderSaga))?.readState()).toEqual({ life: 'second' });
      },
    );

    it.each(conflicts)('refuse %s', async (_name, history, operation, attempt, versionAfter) => {
      const { sagas, committer } = (await open()).ports('orders');
      for (const commit of history) await committer.commit(commit);
      const before = await sagas.load(orderSaga);

      const error = await sagaboxErrorOf(committer.commit(attempt));

      expect(error.code).toBe('SagaConcurrency');
      expect(error.facts).toEqual({ sagaName: 'OrderSaga', sagaId: '42', operation });
      expect(error.message).toBe(`The 'OrderSaga' saga with id '42' ${outcomes[operation]}.`);
      const after = await sagas.load(orderSaga);
      expect(after?.revision.version).toBe(versionAfter);
      expect(after?.readState()).toEqual(before?.readState());
    });

    it('let one of two commits from the same version through', async () => {
      const { sagas, committer } = (await open()).ports('orders');
      await committer.commit(sagaCreation({ winner: 'nobody' }));
      const results = await Promise.allSettled(
        ['a', 'b', 'c', 'd'].map((winner) => committer.commit(sagaUpdate({ winner }, 1)).then(() => winner)),
      );
      const winners = results.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
      expect(winners).toHaveLength(1);
      const stored = await sagas.load(orderSaga);
      expect(stored?.revision.version).toBe(2);
      expect(stored?.readState()).toEqual({ winner: winners[0] });
    });
  });
}

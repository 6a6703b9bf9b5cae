import { describe, expect, it } from '@jest/globals';
import { combinedWrite } from '../../lib/saga/combined-write.ts';
import type { OpenedSaga, SagaWrite, StoredSaga } from '../../lib/saga/saga-state.ts';

const saga = { name: 'Order', id: '7' };
const createdAt = new Date('2026-01-01T00:00:00Z');
const read = { version: 4, commitId: 'c4' };
const stored: StoredSaga = {
  readState: () => ({}),
  isSame: () => false,
  revision: read,
  createdAt,
  timeouts: [],
};
const lease = { owner: 'me', until: createdAt };
const of = (parts: Partial<OpenedSaga>): OpenedSaga => ({
  identity: saga,
  stored: undefined,
  lease: undefined,
  ...parts,
});
const between = { version: 0, commitId: '' };
const left = (step: number) => ({ saga, state: { step }, timeouts: [] });
const create = (step: number): SagaWrite => ({ kind: 'create', ...left(step) });
const update = (step: number): SagaWrite => ({ kind: 'update', read: between, createdAt, ...left(step) });
const complete: SagaWrite = { kind: 'complete', saga, read: between };

describe('what several messages write of their saga', () => {
  it.each<[string, Partial<OpenedSaga>, SagaWrite[], object | undefined]>([
    ['nothing', { stored }, [], undefined],
    [
      'a saga that one starts',
      {},
      [create(1)],
      { kind: 'create', saga, state: { step: 1 }, timeouts: [], leaseOwner: undefined },
    ],
    [
      'a saga that one starts and others change',
      {},
      [create(1), update(2), update(3)],
      { kind: 'create', saga, state: { step: 3 }, timeouts: [], changes: 3, leaseOwner: undefined },
    ],
    [
      'changes, from the revision that was read',
      { stored },
      [update(1), update(2)],
      {
        kind: 'update',
        saga,
        state: { step: 2 },
        timeouts: [],
        changes: 2,
        read,
        createdAt,
        leaseOwner: undefined,
      },
    ],
    [
      'an end, under the lease',
      { stored, lease },
      [update(1), complete],
      { kind: 'complete', saga, read, leaseOwner: 'me' },
    ],
    [
      'a saga that starts and ends with them: a check that there is none',
      { lease },
      [create(1), complete],
      { kind: 'check', saga, read: undefined, leaseOwner: 'me' },
    ],
  ])('%s', (_what, opened, writes, expected) => {
    expect(combinedWrite(of(opened), writes)).toEqual(expected);
  });
});

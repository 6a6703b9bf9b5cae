import { beforeEach, describe, expect, it } from '@jest/globals';
import { UnrecoverableError } from 'sagabox';
import type { LoadedSaga } from '../../../lib/saga/saga-store.ts';
import { CountedBatch, messages } from './counted-batch.ts';

const eventual = { locking: { mode: 'optimistic', consistentRead: false } } as const;

let batch: CountedBatch;
/** What the next read finds in place of the latest. */
let old: LoadedSaga | undefined;

beforeEach(async () => {
  batch = new CountedBatch();
  const { load } = batch.ports.sagas;
  batch.ports.sagas.load = async (...parameters) => {
    const found = old ?? (await load(...parameters));
    old = undefined;
    return found;
  };
  await batch.run(messages('Started a'));
  const before = await load({ name: 'Counter', id: 's' }, undefined as never);
  await batch.run(messages('Counted b'));
  old = before;
  batch.reports.length = 0;
});

describe('a handler that fails for good on an old state of a saga with outbox records', () => {
  it('has its message again', async () => {
    batch.handlers.c = ({ saga }) => {
      if (!saga.state.applied.includes('b')) throw new UnrecoverableError('b has not come');
    };
    expect(await batch.run(messages('Counted c'), eventual)).toEqual([]);
    expect(batch.seen.slice(-2)).toEqual(['c: a', 'c: a b']);
    expect(batch.outcomes).toEqual(['c handled']);
  });

  it('fails when it does so on the latest one, too', async () => {
    batch.handlers.c = () => {
      throw new UnrecoverableError('for good');
    };
    expect(await batch.run(messages('Counted c'), eventual)).toEqual(['c']);
    expect(batch.seen.slice(-2)).toEqual(['c: a', 'c: a b']);
    expect(batch.outcomes).toEqual(['c failed']);
  });
});

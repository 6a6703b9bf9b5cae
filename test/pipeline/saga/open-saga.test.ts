import { beforeEach, describe, expect, it } from '@jest/globals';
import type { PendingEntry } from '../../../lib/outbox/embedded/embedded-item.ts';
import { complete } from '../../../lib/pipeline/complete.ts';
import { openSaga } from '../../../lib/pipeline/saga/open-saga.ts';
import type { SagaItem } from '../../../lib/saga/item/saga-item.ts';
import type { Saga } from '../../../lib/saga/saga-state.ts';
import type { LoadCertainty, LoadedSaga } from '../../../lib/saga/saga-store.ts';
import { MemorySagaStore } from '../../../lib/testing/memory/saga-store.ts';
import { sagaboxErrorOf } from '../../support/error-of.ts';
import { MemoryFlow } from '../../support/memory-flow.ts';
import { paidSaga as saga } from '../../support/order-sagas.ts';

let subject: MemoryFlow;
let loads: (LoadCertainty | undefined)[];
/** What an eventually consistent read still sees; undefined when it sees the latest. */
let past: LoadedSaga | undefined;

beforeEach(() => {
  [loads, past] = [[], undefined];
  subject = new MemoryFlow();
  const sagas = new MemorySagaStore(subject.storage);
  subject.flow.ports.sagas.load = async (identity, _meter, certainty) => {
    loads.push(certainty);
    return past && certainty !== 'all' ? past : await sagas.load(identity);
  };
});

async function handle(
  type: string,
  id: string,
  run: (saga: Saga<{ paid: boolean }>) => void = () => {},
  readsEventually = true,
): Promise<void> {
  subject.flow = { ...subject.flow, readsEventually };
  const transaction = await subject.open(type, id);
  transaction.work.context.send('billing', 'Charge', { by: id });
  run(transaction.draft?.saga as Saga<{ paid: boolean }>);
  await complete(transaction);
}

const readPast = async () => {
  past = await new MemorySagaStore(subject.storage).load({ name: 'Order', id: '7' });
};
const pay = (order: Saga<{ paid: boolean }>) => {
  order.state.paid = true;
};

describe('a saga that is read with eventual consistency', () => {
  it('and is not written, lets its message through when it was the latest', async () => {
    await handle('Placed', 'm1');
    loads.length = 0;
    await handle('Paid', 'm2');
    expect(loads).toEqual(['absence', 'all']);
    expect(subject.dispatcher.sent.map(({ body }) => body)).toEqual([{ by: 'm1' }, { by: 'm2' }]);
  });

  it('and is not written, refuses what was decided on an older state', async () => {
    await handle('Placed', 'm1');
    await readPast();
    await handle('Paid', 'm2', pay, false);
    const error = await sagaboxErrorOf(handle('Paid', 'm3'));
    expect(error).toMatchObject({ code: 'SagaConcurrency', facts: { sagaId: '7', operation: 'update' } });
    expect(subject.dispatcher.sent.map(({ body }) => body)).toEqual([{ by: 'm1' }, { by: 'm2' }]);
    expect([...subject.storage.records.keys()]).toHaveLength(2);
  });

  it('and is not written, refuses what was decided on one that is completed by now', async () => {
    await handle('Placed', 'm1');
    await readPast();
    await handle('Paid', 'm2', (order) => order.complete(), false);
    expect((await sagaboxErrorOf(handle('Paid', 'm3'))).code).toBe('SagaConcurrency');
  });

  it('and started and completed at once, refuses it when there is one', async () => {
    await readPast();
    await handle('Placed', 'm1', () => {}, false);
    const error = await sagaboxErrorOf(handle('Placed', 'm2', (order) => order.complete()));
    expect(error).toMatchObject({ code: 'SagaConcurrency', facts: { operation: 'create' } });
  });

  it('and is written, is not read again: the write has its condition', async () => {
    await handle('Placed', 'm1');
    await handle('Paid', 'm2', pay);
    expect(loads).toEqual(['none', 'absence']);
  });

  it('and was the latest for certain, as a timeout asks for, is not read again', async () => {
    await handle('Placed', 'm1');
    loads.length = 0;
    const attempt = subject.start('Paid', 'm2');
    const fired = { ...attempt.received, headers: { 'Sagabox.Timeout': 'true' } };
    const opened = await openSaga(attempt, await saga.correlate(fired), Promise.resolve());
    expect(loads).toEqual(['all']);
    expect(opened.mayBeOld).toBe(false);
  });

  it('and has something pending in an old version of its item, is taken by what its latest one has', async () => {
    await handle('Placed', 'm1');
    await readPast();
    const pending = new Map([['a', {} as PendingEntry]]);
    const item = { schema: 'embedded', pending, updatedAt: new Date(0) } as unknown as SagaItem;
    past = { stored: undefined, ...past, item };
    loads.length = 0;
    await handle('Paid', 'm2', pay);
    expect(loads).toEqual(['absence', 'all']);
  });

  it('is read once for a message that only knows it as the latest', async () => {
    await handle('Placed', 'm1', () => {}, false);
    loads.length = 0;
    await handle('Paid', 'm2', () => {}, false);
    expect(loads).toEqual(['absence']);
  });
});

import { beforeEach, describe, expect, it } from '@jest/globals';
import { MemoryCommitter } from '../../../lib/adapters/memory/committer.ts';
import { MemoryDispatcher } from '../../../lib/adapters/memory/dispatcher.ts';
import { MemoryOutboxStore } from '../../../lib/adapters/memory/outbox-store.ts';
import { MemorySagaStore } from '../../../lib/adapters/memory/saga-store.ts';
import { MemoryStorage } from '../../../lib/adapters/memory/storage.ts';
import { readEnvelope } from '../../../lib/core/incoming/envelope.ts';
import type { Saga, StoredSaga } from '../../../lib/core/saga/saga-state.ts';
import type { Flow } from '../../../lib/flow/attempt.ts';
import { begin } from '../../../lib/flow/begin.ts';
import { commit } from '../../../lib/flow/commit.ts';
import { openSaga } from '../../../lib/flow/saga/open-saga.ts';
import type { LoadCertainty } from '../../../lib/ports.ts';
import { silentLogger } from '../../../lib/testing/silent-logger.ts';
import { attemptAt } from '../../support/attempts.ts';
import { sagaboxErrorOf } from '../../support/error-of.ts';
import { paidSaga as saga } from '../../support/order-sagas.ts';
import { record } from '../../support/queue.ts';
import { sendingTo } from '../../support/sending.ts';

let storage: MemoryStorage;
let dispatcher: MemoryDispatcher;
let loads: (LoadCertainty | undefined)[];
/** What an eventually consistent read still sees; nothing when it sees the latest. */
let past: { stored: StoredSaga | undefined } | undefined;

beforeEach(() => {
  storage = new MemoryStorage();
  dispatcher = new MemoryDispatcher();
  loads = [];
  past = undefined;
});

function flowThat(reads: Pick<Flow, 'readsEventually'>): Flow {
  const sagas = new MemorySagaStore(storage);
  return {
    ...reads,
    endpoint: 'orders',
    sending: sendingTo({ billing: 'https://queues.test/billing' }),
    saga,
    outbox: true,
    logger: silentLogger,
    hooks: {},
    ports: {
      sagas: {
        load: async (identity, _meter, certainty) => {
          loads.push(certainty);
          return past && certainty !== 'all' ? past.stored : await sagas.load(identity);
        },
      },
      outbox: new MemoryOutboxStore(storage, 'orders'),
      committer: new MemoryCommitter({ storage, endpoint: 'orders' }),
      dispatcher,
      clock: { now: () => new Date('2026-01-01T00:00:00Z'), sleep: async () => {} },
    },
  };
}

async function handle(
  type: string,
  id: string,
  run: (saga: Saga<{ paid: boolean }>) => void = () => {},
  flow = flowThat({ readsEventually: true }),
): Promise<void> {
  const transaction = await begin(attemptAt(flow, readEnvelope(record(type, { id: '7' }, id))));
  if (transaction === undefined) return;
  transaction.work.context.send('billing', 'Charge', { by: id });
  run(transaction.draft?.saga as Saga<{ paid: boolean }>);
  await commit(transaction);
}

const readPast = async () => {
  past = { stored: await new MemorySagaStore(storage).load({ name: 'Order', id: '7' }) };
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
    expect(dispatcher.sent.map(({ body }) => body)).toEqual([{ by: 'm1' }, { by: 'm2' }]);
  });

  it('and is not written, refuses what was decided on an older state', async () => {
    await handle('Placed', 'm1');
    await readPast();
    await handle('Paid', 'm2', pay, flowThat({}));
    const error = await sagaboxErrorOf(handle('Paid', 'm3'));
    expect(error).toMatchObject({ code: 'SagaConcurrency', facts: { sagaId: '7', operation: 'update' } });
    expect(dispatcher.sent.map(({ body }) => body)).toEqual([{ by: 'm1' }, { by: 'm2' }]);
    expect([...storage.records.keys()]).toHaveLength(2);
  });

  it('and is not written, refuses what was decided on one that is completed by now', async () => {
    await handle('Placed', 'm1');
    await readPast();
    await handle('Paid', 'm2', (order) => order.complete(), flowThat({}));
    expect((await sagaboxErrorOf(handle('Paid', 'm3'))).code).toBe('SagaConcurrency');
  });

  it('and started and completed at once, refuses it when there is one', async () => {
    await readPast();
    await handle('Placed', 'm1', () => {}, flowThat({}));
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
    const fired = {
      ...readEnvelope(record('Paid', { id: '7' }, 'm2')),
      headers: { 'Sagabox.Timeout': 'true' },
    };
    const attempt = attemptAt(flowThat({ readsEventually: true }), fired);
    loads.length = 0;
    const opened = await openSaga(attempt, await saga.correlate(fired), Promise.resolve());
    expect(loads).toEqual(['all']);
    expect(opened.mayBeOld).toBe(false);
  });

  it('is read once for a message that only knows it as the latest', async () => {
    await handle('Placed', 'm1', () => {}, flowThat({}));
    loads.length = 0;
    await handle('Paid', 'm2', () => {}, flowThat({}));
    expect(loads).toEqual(['absence']);
  });
});

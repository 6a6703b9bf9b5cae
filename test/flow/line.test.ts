import { beforeEach, describe, expect, it } from '@jest/globals';
import { MemoryCommitter } from '../../lib/adapters/memory/committer.ts';
import { MemoryDispatcher } from '../../lib/adapters/memory/dispatcher.ts';
import { MemoryOutboxStore } from '../../lib/adapters/memory/outbox-store.ts';
import { MemorySagaStore } from '../../lib/adapters/memory/saga-store.ts';
import { MemoryStorage } from '../../lib/adapters/memory/storage.ts';
import { readEnvelope } from '../../lib/core/incoming/envelope.ts';
import type { CapacityMeter } from '../../lib/core/storage/capacity-meter.ts';
import type { Flow, MessageReport } from '../../lib/flow/attempt.ts';
import { Delivery } from '../../lib/flow/batch/delivery.ts';
import { SagaTurns } from '../../lib/flow/batch/saga-turns.ts';
import { begin } from '../../lib/flow/begin.ts';
import { commit } from '../../lib/flow/commit.ts';
import { rollback } from '../../lib/flow/rollback.ts';
import { silentLogger } from '../../lib/testing/silent-logger.ts';
import { attemptAt, noDeadline } from '../support/attempts.ts';
import { sagaFacts } from '../support/message-facts.ts';
import { paidSaga as saga } from '../support/order-sagas.ts';
import { record } from '../support/queue.ts';
import { sendingTo } from '../support/sending.ts';

let calls: string[];
let reports: MessageReport[];
let discarded: string[];
let dispatcher: MemoryDispatcher;
let flow: Flow;

/** The memory adapters, with every call noted. */
beforeEach(() => {
  calls = [];
  reports = [];
  discarded = [];
  const storage = new MemoryStorage();
  const sagas = new MemorySagaStore(storage);
  const outbox = new MemoryOutboxStore(storage, 'orders');
  const committer = new MemoryCommitter({ storage, endpoint: 'orders' });
  dispatcher = new MemoryDispatcher();
  const note = <A extends unknown[], R>(name: string, call: (...args: A) => Promise<R>) => {
    return async (...args: A) => {
      calls.push(name);
      return await call(...args);
    };
  };
  flow = {
    endpoint: 'orders',
    sending: sendingTo({ billing: 'https://queues.test/billing', orders: 'https://queues.test/orders' }),
    saga,
    outbox: true,
    logger: silentLogger,
    hooks: {
      onMessage: (report) => void reports.push(report),
      onSagaNotFound: (message) => void discarded.push(message.id),
    },
    ports: {
      sagas: { load: note('load', (identity) => sagas.load(identity)) },
      outbox: {
        find: note('find', (id, meter: CapacityMeter) => {
          meter.addRead(1);
          return outbox.find(id);
        }),
        markDispatched: note('mark', (stored) => outbox.markDispatched(stored)),
        keepSent: (stored, sent) => outbox.keepSent(stored, sent),
      },
      committer: {
        keep: (write) => committer.keep(write),
        commit: note('commit', (commit) => committer.commit(commit)),
      },
      dispatcher: { dispatch: note('dispatch', (operations) => dispatcher.dispatch(operations)) },
      clock: { now: () => new Date('2026-01-01T00:00:00Z'), sleep: async () => {} },
    },
  };
});

class NotingDelivery extends Delivery {
  override async takeTurn(): Promise<void> {
    calls.push('turn');
  }
}

const start = (type: string, id: string) =>
  attemptAt(flow, readEnvelope(record(type, { id: '7' }, id)), {
    delivery: new NotingDelivery(new SagaTurns(), noDeadline),
  });

async function handle(type: string, id: string, sends = 0) {
  const transaction = await begin(start(type, id));
  if (transaction === undefined) return;
  for (let index = 0; index < sends; index += 1) transaction.work.context.send('billing', 'Charge', index);
  await commit(transaction);
}

/** Another delivery of a message: it commits, and gets no further. */
async function commitAndDie(id: string) {
  const other = await begin(start('Paid', id));
  if (other === undefined) throw new Error('The saga is not there');
  other.work.context.send('billing', 'Charge', { amount: 1 });
  other.draft?.saga.complete();
  const { dispatch } = flow.ports.dispatcher;
  flow.ports.dispatcher.dispatch = async () => {
    throw new Error('it died');
  };
  await expect(commit(other)).rejects.toThrow('it died');
  flow.ports.dispatcher.dispatch = dispatch;
}

describe('one message', () => {
  it('takes its steps in order', async () => {
    await handle('Placed', 'm1', 1);
    expect(calls).toEqual(['turn', 'find', 'load', 'commit', 'dispatch', 'mark']);
    const capacity = { readUnits: 1, writeUnits: 0 };
    const figures = { outcome: 'handled', capacity, deliveryCapacity: capacity, durationMs: 0 };
    expect(reports).toEqual([{ ...sagaFacts, ...figures }]);
  });

  it('that sends nothing is neither dispatched nor marked', async () => {
    await handle('Placed', 'm1');
    expect(calls).toEqual(['turn', 'find', 'load', 'commit']);
  });

  it('handled before is done after the reads', async () => {
    await handle('Placed', 'm1', 1);
    calls.length = 0;
    await handle('Placed', 'm1', 1);
    expect(calls).toEqual(['turn', 'find', 'load']);
    expect(reports.at(-1)?.outcome).toBe('duplicate');
  });

  it('committed but not dispatched is dispatched from its record, without the handler', async () => {
    const transaction = await begin(start('Placed', 'm1'));
    transaction?.work.context.send('billing', 'Charge', { amount: 1 });
    const dispatch = flow.ports.dispatcher.dispatch;
    flow.ports.dispatcher.dispatch = async () => {
      throw new Error('SQS is away');
    };
    if (transaction) await expect(commit(transaction)).rejects.toThrow('SQS is away');
    flow.ports.dispatcher.dispatch = dispatch;
    calls.length = 0;

    expect(await begin(start('Placed', 'm1'))).toBeUndefined();

    expect(calls).toEqual(['turn', 'find', 'load', 'dispatch', 'mark']);
    expect(dispatcher.sent.map(({ body }) => body)).toEqual([{ amount: 1 }]);
    expect(reports.at(-1)?.outcome).toBe('redispatched');
  });

  it('committed but not dispatched is dispatched also when its schema refuses it by now', async () => {
    await handle('Placed', 'm1', 1);
    calls.length = 0;
    const stored = {
      messageId: 'm1',
      dispatched: false,
      storedAt: new Date(0),
      operations: [{ id: 'out-1', cancels: 'out-0' }],
      chunkCount: 0,
    };
    flow.ports.outbox.find = async () => stored;
    const refused = attemptAt(flow, readEnvelope(record('Placed', { renamed: '7' }, 'm1')));

    expect(await begin(refused)).toBeUndefined();

    expect(calls).toEqual(['dispatch', 'mark']);
    expect(reports.at(-1)?.outcome).toBe('redispatched');
  });

  it('that is new and refused by its schema runs nothing', async () => {
    const refused = attemptAt(flow, readEnvelope(record('Placed', {}, 'm1')));
    await expect(begin(refused)).rejects.toMatchObject({ code: 'InvalidMessage' });
    expect(calls).toEqual(['find']);
  });

  it('that neither finds nor starts a saga is discarded by a commit, of which its next delivery is a duplicate', async () => {
    await handle('Paid', 'm1');
    expect(calls).toEqual(['turn', 'find', 'load', 'commit']);
    expect(discarded).toEqual(['m1']);
    expect(reports.at(-1)?.outcome).toBe('discarded');
    await handle('Paid', 'm1');
    expect(reports.at(-1)?.outcome).toBe('duplicate');
  });

  it('whose hook for a saga that is not found throws is not discarded', async () => {
    flow.hooks.onSagaNotFound = () => Promise.reject(new Error('not now'));
    await expect(begin(start('Paid', 'm1'))).rejects.toThrow('not now');
    expect(calls).toEqual(['turn', 'find', 'load']);
  });

  it('that finds no saga has a warning, when no hook is told of it', async () => {
    const warnings: unknown[] = [];
    const { onSagaNotFound: _hook, ...hooks } = flow.hooks;
    const logger = { ...silentLogger, warn: (_text: string, facts: object) => void warnings.push(facts) };
    const attempt = attemptAt({ ...flow, hooks, logger }, readEnvelope(record('Paid', { id: '7' }, 'm1')));
    expect(await begin(attempt)).toBeUndefined();
    expect(warnings).toMatchObject([{ messageType: 'Paid', messageId: 'm1', sagaId: '7' }]);
  });

  it('whose other delivery completes the saga and dies, after the dedup check, is dispatched from the record', async () => {
    await handle('Placed', 'm0');
    const { load } = flow.ports.sagas;
    flow.ports.sagas.load = async (...args) => {
      flow.ports.sagas.load = load;
      await commitAndDie('m1');
      return await load(...args);
    };

    await expect(begin(start('Paid', 'm1'))).rejects.toMatchObject({ code: 'DuplicateMessage' });
    expect(await begin(start('Paid', 'm1'))).toBeUndefined();

    expect(dispatcher.sent.map(({ body }) => body)).toEqual([{ amount: 1 }]);
    expect(reports.at(-1)?.outcome).toBe('redispatched');
  });

  it('whose handler failed writes nothing and is reported with its error', async () => {
    const transaction = await begin(start('Placed', 'm1'));
    const error = new Error('a bug');
    if (transaction) await rollback(transaction, error);
    expect(calls).toEqual(['turn', 'find', 'load']);
    expect(reports).toEqual([expect.objectContaining({ outcome: 'failed', error, sagaId: '7' })]);
    expect(() => transaction?.work.context.send('billing', 'Late', {})).toThrow('already returned');
  });

  it('waits for the saga load when the dedup check fails', async () => {
    const load = Promise.withResolvers<undefined>();
    let loaded = false;
    flow.ports.outbox.find = async () => {
      throw new Error('throttled');
    };
    flow.ports.sagas.load = async () => {
      await load.promise;
      loaded = true;
      return undefined;
    };
    const begun = begin(start('Placed', 'm1'));
    load.resolve(undefined);
    await expect(begun).rejects.toThrow('throttled');
    expect(loaded).toBe(true);
  });

  it('without an outbox commits its saga only, and sends all the same', async () => {
    flow = { ...flow, outbox: false };
    await handle('Placed', 'm1', 1);
    expect(dispatcher.sent).toHaveLength(1);
    await handle('Paid', 'm2');
    expect(calls.filter((call) => call === 'commit')).toHaveLength(1);
  });

  it.each([{}, { 'Sagabox.Timeout': 'true' }])(
    'at an endpoint without sagas is handled by itself (headers: %j)',
    async (headers) => {
      flow = { ...flow, saga: undefined };
      const attempt = attemptAt(flow, { ...readEnvelope(record('Placed', { id: '7' }, 'm1')), headers });
      const transaction = await begin(attempt);
      if (transaction === undefined) throw new Error('There is nothing to handle');
      transaction.work.context.requestTimeout('Later', {}, { after: { minutes: 1 } });
      await commit(transaction);
      expect([transaction.draft, transaction.lease]).toEqual([undefined, undefined]);
      expect(calls).toEqual(['find', 'commit', 'dispatch', 'mark']);
      expect(reports.at(-1)).toMatchObject({ outcome: 'handled', messageId: 'm1' });
      expect(reports.at(-1)).not.toHaveProperty('sagaName');
    },
  );

  it('stays handled when its observer fails', async () => {
    const logged: unknown[] = [];
    flow = {
      ...flow,
      logger: { ...silentLogger, error: (_message, { error }) => void logged.push(error) },
      hooks: {
        onMessage: () => {
          throw new Error('metrics are away');
        },
      },
    };
    await handle('Placed', 'm1');
    expect(logged).toEqual([new Error('metrics are away')]);
  });
});

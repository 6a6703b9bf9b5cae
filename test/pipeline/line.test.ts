import { beforeEach, describe, expect, it } from '@jest/globals';
import { BatchPlace } from '../../lib/attempt/batch-place.ts';
import { Delivery } from '../../lib/attempt/delivery.ts';
import { SagaQueues } from '../../lib/attempt/saga-queue/saga-queue.ts';
import type { CapacityMeter } from '../../lib/dynamodb/capacity-meter.ts';
import { complete } from '../../lib/pipeline/complete.ts';
import { open } from '../../lib/pipeline/open.ts';
import { noOutbox } from '../../lib/pipeline/outbox/no-outbox.ts';
import { silentLogger } from '../../lib/testing/silent-logger.ts';
import { noDeadline } from '../support/attempts.ts';
import { MemoryFlow } from '../support/memory-flow.ts';
import { sagaFacts } from '../support/message-facts.ts';

let calls: string[];
let discarded: string[];
let subject: MemoryFlow;

/** The ports in memory, with every call noted. */
beforeEach(() => {
  [calls, discarded] = [[], []];
  const note = <A extends unknown[], R>(name: string, call: (...args: A) => Promise<R>) => {
    return async (...args: A) => {
      calls.push(name);
      return await call(...args);
    };
  };
  subject = new MemoryFlow();
  const { hooks, ports } = subject.flow;
  const { sagas, outbox, committer, dispatcher } = ports;
  subject.flow = {
    ...subject.flow,
    hooks: { ...hooks, onSagaNotFound: ({ id }) => void discarded.push(id) },
    ports: {
      ...ports,
      sagas: { load: note('load', (...args) => sagas.load(...args)) },
      outbox: {
        find: note('find', (id, meter: CapacityMeter) => {
          meter.addRead(1);
          return outbox.find(id, meter);
        }),
        markDispatched: note('mark', (...args) => outbox.markDispatched(...args)),
        saveProgress: (...args) => outbox.saveProgress(...args),
      },
      committer: {
        snapshot: (write) => committer.snapshot(write),
        readSnapshot: (kept) => committer.readSnapshot(kept),
        commit: note('commit', (...args) => committer.commit(...args)),
      },
      dispatcher: { dispatch: note('dispatch', (...args) => dispatcher.dispatch(...args)) },
    },
  };
});

class NotingPlace extends BatchPlace {
  override async waitForTurn(...parameters: Parameters<BatchPlace['waitForTurn']>): Promise<void> {
    calls.push('turn');
    await super.waitForTurn(...parameters);
  }
}

function start(type: string, id: string) {
  const batch = new NotingPlace(new SagaQueues(), noDeadline);
  return subject.start(type, id, { delivery: new Delivery({ deadline: noDeadline, batch }) });
}

async function handle(type: string, id: string, sends = 0) {
  const transaction = await open(start(type, id));
  if (transaction === undefined) return;
  for (let index = 0; index < sends; index += 1) transaction.work.context.send('billing', 'Charge', index);
  await complete(transaction);
}

/** Another delivery of a message: it commits, and gets no further. */
async function commitAndDie(type: string, id: string, completes = false) {
  const { ports } = subject.flow;
  const transaction = await open(start(type, id));
  if (transaction === undefined) throw new Error('There is nothing to handle');
  transaction.work.context.send('billing', 'Charge', { amount: 1 });
  if (completes) transaction.draft?.saga.complete();
  const { dispatch } = ports.dispatcher;
  ports.dispatcher.dispatch = () => Promise.reject(new Error('it died'));
  await expect(complete(transaction)).rejects.toThrow('it died');
  ports.dispatcher.dispatch = dispatch;
}

const outcome = () => subject.reports.at(-1)?.outcome;
const sentBodies = () => subject.dispatcher.sent.map(({ body }) => body);

describe('one message', () => {
  it('takes its steps in order', async () => {
    await handle('Placed', 'm1', 1);
    expect(calls).toEqual(['turn', 'find', 'load', 'commit', 'dispatch', 'mark']);
    const capacity = { readUnits: 1, writeUnits: 0 };
    const figures = { outcome: 'handled', capacity, deliveryCapacity: capacity, durationMs: 0 };
    expect(subject.reports).toEqual([{ ...sagaFacts, ...figures }]);
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
    expect(outcome()).toBe('duplicate');
  });

  it('committed but not dispatched is dispatched from its record, without the handler', async () => {
    await commitAndDie('Placed', 'm1');
    calls.length = 0;

    expect(await open(start('Placed', 'm1'))).toBeUndefined();

    expect(calls).toEqual(['turn', 'find', 'load', 'dispatch', 'mark']);
    expect(sentBodies()).toEqual([{ amount: 1 }]);
    expect(outcome()).toBe('redispatched');
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
    subject.flow.ports.outbox.find = async () => stored;
    const { received, ...attempt } = subject.start('Placed', 'm1');
    const refused = { ...attempt, received: { ...received, body: { renamed: '7' } } };

    expect(await open(refused)).toBeUndefined();

    expect(calls).toEqual(['dispatch', 'mark']);
    expect(outcome()).toBe('redispatched');
  });

  it('that is new and refused by its schema runs nothing', async () => {
    const { received, ...attempt } = subject.start('Placed', 'm1');
    const refused = { ...attempt, received: { ...received, body: {} } };
    await expect(open(refused)).rejects.toMatchObject({ code: 'InvalidMessage' });
    expect(calls).toEqual(['find']);
  });

  it('that neither finds nor starts a saga is discarded by a commit, of which its next delivery is a duplicate', async () => {
    await handle('Paid', 'm1');
    expect(calls).toEqual(['turn', 'find', 'load', 'commit']);
    expect(discarded).toEqual(['m1']);
    expect(outcome()).toBe('discarded');
    await handle('Paid', 'm1');
    expect(outcome()).toBe('duplicate');
  });

  it('whose hook for a saga that is not found throws is not discarded', async () => {
    subject.flow.hooks.onSagaNotFound = () => Promise.reject(new Error('not now'));
    await expect(open(start('Paid', 'm1'))).rejects.toThrow('not now');
    expect(calls).toEqual(['turn', 'find', 'load']);
  });

  it('that finds no saga has a warning, when no hook is told of it', async () => {
    const warnings: unknown[] = [];
    const warn = (_message: string, facts?: object) => void warnings.push(facts);
    subject.flow = { ...subject.flow, hooks: {}, logger: { ...silentLogger, warn } };
    expect(await open(start('Paid', 'm1'))).toBeUndefined();
    expect(warnings).toMatchObject([{ messageType: 'Paid', messageId: 'm1', sagaId: '7' }]);
  });

  it('is called discarded when it is, not before', async () => {
    const queues: string[] = [];
    const warn = (message: string) => void queues.push(message);
    subject.flow = { ...subject.flow, hooks: {}, logger: { ...silentLogger, warn } };
    const { committer } = subject.flow.ports;
    const { commit: write } = committer;
    committer.commit = () => Promise.reject(new Error('no network'));
    await expect(open(start('Paid', 'm1'))).rejects.toThrow('no network');
    expect(queues).toEqual([]);
    committer.commit = write;
    await open(start('Paid', 'm1'));
    expect(queues).toEqual(['A message is discarded: it starts no saga, and finds none']);
  });

  it('whose other delivery completes the saga and dies, after the dedup check, is dispatched from the record', async () => {
    await handle('Placed', 'm0');
    const { load } = subject.flow.ports.sagas;
    subject.flow.ports.sagas.load = async (...args) => {
      subject.flow.ports.sagas.load = load;
      await commitAndDie('Paid', 'm1', true);
      return await load(...args);
    };

    await expect(open(start('Paid', 'm1'))).rejects.toMatchObject({ code: 'DuplicateMessage' });
    expect(await open(start('Paid', 'm1'))).toBeUndefined();

    expect(sentBodies()).toEqual([{ amount: 1 }]);
    expect(outcome()).toBe('redispatched');
  });

  it('waits for the saga load when the dedup check fails', async () => {
    const load = Promise.withResolvers<undefined>();
    let loaded = false;
    subject.flow.ports.outbox.find = () => Promise.reject(new Error('throttled'));
    subject.flow.ports.sagas.load = async () => {
      await load.promise;
      loaded = true;
      return { stored: undefined, item: undefined };
    };
    const begun = open(start('Placed', 'm1'));
    load.resolve(undefined);
    await expect(begun).rejects.toThrow('throttled');
    expect(loaded).toBe(true);
  });

  it('without an outbox commits its saga only, and sends all the same', async () => {
    subject.flow = { ...subject.flow, outbox: noOutbox };
    await handle('Placed', 'm1', 1);
    expect(sentBodies()).toHaveLength(1);
    await handle('Paid', 'm2');
    expect(calls.filter((call) => call === 'commit')).toHaveLength(1);
  });

  it.each([{}, { 'Sagabox.Timeout': 'true' }])(
    'at an endpoint without sagas is handled by itself (headers: %j)',
    async (headers) => {
      subject.flow = { ...subject.flow, saga: undefined };
      const { received, ...attempt } = start('Placed', 'm1');
      const transaction = await open({ ...attempt, received: { ...received, headers } });
      if (transaction === undefined) throw new Error('There is nothing to handle');
      transaction.work.context.requestTimeout('Later', {}, { after: { minutes: 1 } });
      await complete(transaction);
      expect([transaction.draft, transaction.lease]).toEqual([undefined, undefined]);
      expect(calls).toEqual(['find', 'commit', 'dispatch', 'mark']);
      expect(subject.reports.at(-1)).toMatchObject({ outcome: 'handled', messageId: 'm1' });
      expect(subject.reports.at(-1)).not.toHaveProperty('sagaName');
    },
  );
});

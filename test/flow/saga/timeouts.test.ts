import { beforeEach, describe, expect, it } from '@jest/globals';
import { defineSaga } from 'sagabox';
import { z } from 'zod';
import { MemoryCommitter } from '../../../lib/adapters/memory/committer.ts';
import { MemoryDispatcher } from '../../../lib/adapters/memory/dispatcher.ts';
import { MemoryOutboxStore } from '../../../lib/adapters/memory/outbox-store.ts';
import { MemorySagaStore } from '../../../lib/adapters/memory/saga-store.ts';
import { MemoryStorage } from '../../../lib/adapters/memory/storage.ts';
import { readEnvelope } from '../../../lib/core/incoming/envelope.ts';
import { isCancellation } from '../../../lib/core/incoming/message.ts';
import type { Flow, MessageReport } from '../../../lib/flow/attempt.ts';
import { begin } from '../../../lib/flow/begin.ts';
import { commit } from '../../../lib/flow/commit.ts';
import type { Transaction } from '../../../lib/flow/transaction.ts';
import type { LoadCertainty } from '../../../lib/ports.ts';
import { silentLogger } from '../../../lib/testing/silent-logger.ts';
import { attemptAt } from '../../support/attempts.ts';
import { MovingClock } from '../../support/moving-clock.ts';
import { record } from '../../support/queue.ts';
import { sendingTo } from '../../support/sending.ts';

const schema = z.object({ id: z.string() });
const handled: string[] = [];
const saga = defineSaga({
  name: 'Order',
  messages: { Placed: schema, Paid: schema, TimedOut: schema },
  correlate: { Placed: ({ id }) => id, Paid: ({ id }) => id, TimedOut: ({ id }) => id },
  // A timeout of a saga that has ended must not start it again.
  startedBy: ['Placed', 'TimedOut'],
  initialState: () => ({}),
  handlers: {
    Placed: ({ body }, { requestTimeout }) => requestTimeout('TimedOut', body, { after: { hours: 2 } }),
    Paid: (_message, { cancelTimeout }) => cancelTimeout('TimedOut'),
    TimedOut: () => void handled.push('TimedOut'),
  },
});

let flow: Flow;
let storage: MemoryStorage;
let dispatcher: MemoryDispatcher;
let reports: MessageReport[];
let notFound: string[];
let certainties: (LoadCertainty | undefined)[];

beforeEach(() => {
  storage = new MemoryStorage();
  dispatcher = new MemoryDispatcher();
  reports = [];
  notFound = [];
  handled.length = 0;
  certainties = [];
  const sagas = new MemorySagaStore(storage);
  flow = {
    endpoint: 'orders',
    sending: sendingTo({ orders: 'https://queues.test/orders' }, { schedules: true }),
    saga,
    outbox: true,
    hooks: {
      onMessage: (report) => void reports.push(report),
      onSagaNotFound: ({ id }) => void notFound.push(id),
    },
    logger: silentLogger,
    ports: {
      sagas: {
        load: async (identity, _meter, certainty) => {
          certainties.push(certainty);
          return await sagas.load(identity);
        },
      },
      outbox: new MemoryOutboxStore(storage, 'orders'),
      committer: new MemoryCommitter({ storage, endpoint: 'orders' }),
      dispatcher,
      clock: new MovingClock(),
    },
  };
});

async function deliver(
  type: 'Placed' | 'Paid' | 'TimedOut',
  id: string,
  headers: Record<string, string> = {},
) {
  const received = { ...readEnvelope(record(type, { id: '7' }, id)), headers };
  const transaction = await begin(attemptAt(flow, received));
  if (transaction === undefined) return;
  await saga.handler(
    transaction.message as never,
    { ...transaction.work.context, saga: transaction.draft?.saga } as never,
  );
  await commit(transaction);
}

const fire = (id: string | undefined) => deliver('TimedOut', id ?? '', { 'Sagabox.Timeout': 'true' });
const outcome = () => reports.at(-1)?.outcome;
const pending = () => [...storage.sagas.values()].flatMap(({ timeouts }) => timeouts);

describe('a timeout of a saga', () => {
  it('that fires is handled, and waits no more', async () => {
    await deliver('Placed', 'm1');
    expect(pending()).toHaveLength(1);
    await fire(dispatcher.sent[0]?.id);
    expect([outcome(), handled, pending()]).toEqual(['handled', ['TimedOut'], []]);
  });

  it('that was cancelled is taken back from its schedule, and discarded when it comes all the same', async () => {
    await deliver('Placed', 'm1');
    const [timeout] = dispatcher.sent;
    await deliver('Paid', 'm2');
    expect(dispatcher.cancelled).toEqual([timeout?.id]);
    await fire(timeout?.id);
    expect([outcome(), handled, notFound]).toEqual(['discarded', [], []]);
  });

  it('of a saga that has ended is discarded, and starts none in its place', async () => {
    await deliver('Placed', 'm1');
    const [timeout] = dispatcher.sent;
    storage.sagas.clear();
    await fire(timeout?.id);
    expect([outcome(), handled, storage.sagas.size]).toEqual(['discarded', [], 0]);
  });

  it('of an earlier saga with the same id is discarded', async () => {
    await deliver('Placed', 'm1');
    const [timeout] = dispatcher.sent;
    storage.sagas.clear();
    await deliver('Placed', 'm3');
    await fire(timeout?.id);
    expect([outcome(), handled]).toEqual(['discarded', []]);
    expect(pending()).toHaveLength(1);
  });

  it('is looked up in a saga that is certainly the latest', async () => {
    await deliver('Placed', 'm1');
    await fire(dispatcher.sent[0]?.id);
    expect(certainties).toEqual(['none', 'all']);
  });

  it.each([
    ['Placed', 'none'],
    ['Paid', 'absence'],
  ] as const)('is looked up more certainly than others need to be: %s, %s', async (type, certainty) => {
    await deliver(type, 'm1');
    expect(certainties).toEqual([certainty]);
  });

  it('that is delivered twice is handled once', async () => {
    await deliver('Placed', 'm1');
    await fire(dispatcher.sent[0]?.id);
    await fire(dispatcher.sent[0]?.id);
    expect([outcome(), handled]).toEqual(['duplicate', ['TimedOut']]);
  });

  it.each([
    ['another saga', { id: '8' }, "would reach the saga with id '8'"],
    ['no saga', {}, 'could not be handled'],
  ])('that would come to %s is refused before the commit', async (_to, body, detail) => {
    const transaction = await begin(attemptAt(flow, readEnvelope(record('Placed', { id: '7' }, 'm1'))));
    transaction?.work.context.requestTimeout('TimedOut', body, { after: { hours: 1 } });
    await expect(commit(transaction as Transaction)).rejects.toThrow(detail);
    expect([storage.sagas.size, storage.records.size]).toEqual([0, 0]);
  });

  it('from elsewhere, without the mark of a timeout, is a message like any other', async () => {
    await deliver('TimedOut', 'm9');
    expect([outcome(), handled]).toEqual(['handled', ['TimedOut']]);
  });
});

describe('the completion of a saga', () => {
  it('takes back the timeouts that wait in schedules, with its own commit', async () => {
    await deliver('Placed', 'm1');
    const received = readEnvelope(record('Paid', { id: '7' }, 'm2'));
    const transaction = await begin(attemptAt(flow, received));
    transaction?.draft?.saga.complete();
    if (transaction) await commit(transaction);
    const [stored] = [...storage.records.values()].slice(-1);
    expect(storage.sagas.size).toBe(0);
    expect(dispatcher.cancelled).toEqual([dispatcher.sent[0]?.id]);
    expect(stored?.dispatched).toBe(true);
    expect(transaction?.work.operations.every(isCancellation)).toBe(true);
  });
});

import { beforeEach, describe, expect, it } from '@jest/globals';
import { SagaboxError } from '../../lib/kernel/errors/errors.ts';
import { parseDestinations } from '../../lib/messages/destinations/destination.ts';
import type { OutgoingOperation } from '../../lib/messages/message.ts';
import type { DispatchOptions } from '../../lib/sending/dispatch-options.ts';
import type { Transport } from '../../lib/sending/dispatcher.ts';
import { RoutedDispatcher, type Routes } from '../../lib/sending/routed-dispatcher.ts';
import type { Scheduler } from '../../lib/sending/schedules/scheduler.ts';
import { errorOf, sagaboxErrorOf } from '../support/error-of.ts';
import { awsError, connectionLost } from '../support/faults.ts';
import { MovingClock } from '../support/moving-clock.ts';
import { outgoingMessage } from '../support/outgoing-messages.ts';

const now = new Date('2026-01-02T03:04:05.000Z');
const destinations = parseDestinations(
  {
    billing: 'https://queues.test/billing',
    ledger: 'https://queues.test/ledger.fifo',
    prices: 'arn:aws:sns:eu-west-1:123456789012:prices',
    shop: 'arn:aws:events:eu-west-1:123456789012:event-bus/shop',
  },
  'test',
);

let done: string[];
let routes: Routes;

const transport = (kind: string) => ({
  send: async (messages: readonly { id: string; delaySeconds?: number }[]) => {
    for (const { id, delaySeconds } of messages) done.push(`${kind} ${id} ${delaySeconds ?? 'now'}`);
  },
});

beforeEach(() => {
  done = [];
  routes = {
    destinations,
    transports: { queue: transport('queue'), topic: transport('topic'), eventBus: transport('bus') },
    scheduler: {
      schedule: async ({ id, dueAt }, { name }) => void done.push(`schedule ${id} ${name} ${dueAt}`),
      cancel: async (id) => void done.push(`cancel ${id}`),
    },
    clock: new MovingClock(now),
  };
});

const dispatch = (operations: readonly OutgoingOperation[], overrides: Partial<Routes> = {}) =>
  new RoutedDispatcher({ ...routes, ...overrides }).dispatch(operations);

const scheduled = (count: number) =>
  Array.from({ length: count }, (_, index) =>
    outgoingMessage({ id: `m${index}`, destination: 'billing', dueAt: dueIn(7200) }),
  );

const dueIn = (seconds: number) => new Date(now.getTime() + seconds * 1000).toISOString();

describe('each operation', () => {
  it('goes its way by the kind of its destination', async () => {
    await dispatch([
      outgoingMessage({ id: 'a', destination: 'billing', delaySeconds: 7 }),
      outgoingMessage({ id: 'b', destination: 'prices' }),
      outgoingMessage({ id: 'c', destination: 'shop' }),
      outgoingMessage({ id: 'd', destination: 'ledger' }),
      outgoingMessage({ id: 'e', destination: 'billing', dueAt: dueIn(7200) }),
      { id: 'f', cancels: 'x' },
    ]);
    expect(done.toSorted()).toEqual([
      'bus c now',
      'cancel x',
      'queue a 7',
      'queue d now',
      `schedule e billing ${dueIn(7200)}`,
      'topic b now',
    ]);
  });

  it('is carried out also when another one fails, and then the failure is told', async () => {
    const error = await sagaboxErrorOf(
      dispatch([
        outgoingMessage({ id: 'a', destination: 'gone' }),
        { id: 'f', cancels: 'x' },
        outgoingMessage({ id: 'b', destination: 'billing' }),
      ]),
    );
    expect(error.code).toBe('Configuration');
    expect(done.toSorted()).toEqual(['cancel x', 'queue b now']);
  });
});

describe('a dispatch', () => {
  it('has the messages to all names of a queue go to the first one, in their order', async () => {
    const sent: [string, readonly string[]][] = [];
    const queue: Transport = {
      send: async (messages, { name }) => void sent.push([name, messages.map(({ id }) => id)]),
    };
    const url = 'https://queues.test/ledger.fifo';
    await dispatch(
      ['self', 'ledger', 'self'].map((destination, index) =>
        outgoingMessage({ id: `m${index}`, destination }),
      ),
      {
        destinations: parseDestinations({ ledger: url, self: url }, 'test'),
        transports: { ...routes.transports, queue },
      },
    );
    expect(sent).toEqual([['ledger', ['m0', 'm1', 'm2']]]);
  });

  it.each([
    ['is taken', async () => {}],
    ['fails', async () => Promise.reject(new Error('down'))],
  ])('is under way until all of it has ended, whether it %s', async (_how, end) => {
    let underWay = 0;
    const { promise: ended, resolve } = Promise.withResolvers<void>();
    const dispatches = {
      during: <T>(work: Promise<T>) => {
        underWay += 1;
        return work.finally(() => {
          underWay -= 1;
        });
      },
    };
    const queue: Transport = { send: () => ended.then(end) };
    const sending = dispatch([outgoingMessage({ destination: 'billing' })], {
      dispatches,
      transports: { ...routes.transports, queue },
    }).catch(() => {});
    await new Promise(setImmediate);
    expect(underWay).toBe(1);
    resolve();
    await sending;
    expect(underWay).toBe(0);
  });
});

describe('schedules', () => {
  const dispatchTo = (schedule: Scheduler['schedule'], options?: DispatchOptions) =>
    new RoutedDispatcher({ ...routes, scheduler: { schedule, cancel: async () => {} } }).dispatch(
      scheduled(100),
      options,
    );

  it('are told one by one as they are taken, also when others fail', async () => {
    const taken: string[] = [];
    const schedule = async ({ id }: { id: string }) => {
      if (id === 'm7') throw new Error('refused');
    };
    await errorOf(dispatchTo(schedule, { onTaken: (ids) => taken.push(...ids) }));
    expect(taken).toEqual(
      scheduled(100)
        .map(({ id }) => id)
        .filter((id) => id !== 'm7'),
    );
  });

  it('are not begun once the dispatch is aborted, which the calls under way are told', async () => {
    const controller = new AbortController();
    const reason = new Error('time is up');
    let calls = 0;
    const schedule: Scheduler['schedule'] = async (_message, _destination, signal) => {
      calls += 1;
      expect(signal).toBe(controller.signal);
      if (calls === 20) controller.abort(reason);
      signal?.throwIfAborted();
    };
    expect(await errorOf(dispatchTo(schedule, { signal: controller.signal }))).toBe(reason);
    expect(calls).toBe(20);
    expect(await errorOf(dispatchTo(schedule, { signal: controller.signal }))).toBe(reason);
    expect(calls).toBe(20);
  });

  it.each([
    ['gives no answer', connectionLost(), 10],
    ['refuses each', awsError('ThrottlingException'), 100],
  ])('of which the service %s: %s ends after %i calls', async (_case, cause, expected) => {
    let calls = 0;
    const schedule = async () => {
      calls += 1;
      await new Promise(setImmediate);
      const facts = { destination: 'billing', failures: ['test'] };
      throw new SagaboxError('DispatchFailed', facts, { cause });
    };
    expect(await errorOf(dispatchTo(schedule))).toMatchObject({ code: 'DispatchFailed', cause });
    expect(calls).toBe(expected);
  });
});

describe('a message that was to wait and is dispatched late', () => {
  it.each([
    ['in a schedule', 'billing', undefined, 901, `schedule m billing ${dueIn(901)}`],
    ['in a schedule', 'billing', undefined, 900, 'queue m 900'],
    ['in a schedule', 'billing', undefined, 1, 'queue m 1'],
    ['in a schedule', 'billing', undefined, 0, 'queue m now'],
    ['in a schedule', 'billing', undefined, -5000, 'queue m now'],
    ['in a schedule', 'ledger', undefined, 900, `schedule m ledger ${dueIn(900)}`],
    ['in a schedule', 'ledger', undefined, 1, `schedule m ledger ${dueIn(1)}`],
    ['in a schedule', 'ledger', undefined, 0, 'queue m now'],
    ['in its queue', 'billing', 600, 600, 'queue m 600'],
    ['in its queue', 'billing', 600, 599, 'queue m 599'],
    ['in its queue', 'billing', 600, 1, 'queue m 1'],
    ['in its queue', 'billing', 600, 0, 'queue m now'],
    ['in its queue', 'billing', 600, -5000, 'queue m now'],
    // Dispatched by a clock that runs behind.
    ['in its queue', 'billing', 900, 902, 'queue m 900'],
  ])('%s (%s, delay %p), due in %i s: %s', async (_where, destination, delaySeconds, seconds, expected) => {
    const delay = delaySeconds === undefined ? {} : { delaySeconds };
    await dispatch([outgoingMessage({ id: 'm', destination, dueAt: dueIn(seconds), ...delay })]);
    expect(done).toEqual([expected]);
  });
});

describe('without a scheduler', () => {
  it('a message that is due later is refused, and kept with its record', async () => {
    const message = outgoingMessage({ id: 'm', destination: 'billing', dueAt: dueIn(7200) });
    const error = await sagaboxErrorOf(dispatch([message], { scheduler: undefined }));
    expect(error).toMatchObject({ code: 'DispatchRefused', facts: { destination: 'billing' } });
    expect(error.message).toContain('no scheduler is configured any more');
  });

  it('nor can a message wait whose destination is no queue any more: it is refused, scheduler or not', async () => {
    const message = outgoingMessage({ id: 'm', destination: 'prices', dueAt: dueIn(7200) });
    const error = await sagaboxErrorOf(dispatch([message]));
    expect(error).toMatchObject({ code: 'DispatchRefused', facts: { destination: 'prices' } });
    expect(done).toEqual([]);
  });

  it('a cancellation has nothing to take back', async () => {
    await dispatch([{ id: 'f', cancels: 'x' }], { scheduler: undefined });
    expect(done).toEqual([]);
  });
});

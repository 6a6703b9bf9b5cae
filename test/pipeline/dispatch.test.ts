import { beforeEach, describe, expect, it } from '@jest/globals';
import type { Ports } from '../../lib/attempt/ports.ts';
import { CapacityMeter } from '../../lib/dynamodb/capacity-meter.ts';
import { SagaboxError } from '../../lib/kernel/errors/errors.ts';
import { parseDestinations } from '../../lib/messages/destinations/destination.ts';
import type { OutboxStore } from '../../lib/outbox/outbox-store.ts';
import { isAllSent } from '../../lib/outbox/sent-bitmap.ts';
import { dispatchAndMark } from '../../lib/pipeline/dispatch.ts';
import { relayRecords } from '../../lib/relay/relay.ts';
import type { DispatchOptions } from '../../lib/sending/dispatch-options.ts';
import type { Dispatcher } from '../../lib/sending/dispatcher.ts';
import { RoutedDispatcher } from '../../lib/sending/routed-dispatcher.ts';
import type { Scheduler } from '../../lib/sending/schedules/scheduler.ts';
import { newDelivery } from '../support/attempts.ts';
import { at, storedRecord } from '../support/commits.ts';
import { dynamoDBClient } from '../support/engines.ts';
import { errorOf } from '../support/error-of.ts';
import { MovingClock } from '../support/moving-clock.ts';
import { numberedMessages } from '../support/outgoing-messages.ts';
import {
  createStreamedTable,
  dynamoDBRelay,
  memoryRelay,
  type RelayStores,
} from '../support/relay-subject.ts';

const client = dynamoDBClient();

const meter = new CapacityMeter();
const minuteMs = 60_000;

let clock: MovingClock;
let stores: RelayStores;
/** The ids that were sent, in order, each as often as it was. */
let sent: string[];
/** The progress that was written, in operations. */
let kept: number[];

beforeEach(() => {
  clock = new MovingClock(at);
  stores = memoryRelay();
  sent = [];
  kept = [];
});

function watchedOutbox(overrides: Partial<OutboxStore> = {}): OutboxStore {
  const { outbox } = stores;
  return {
    find: outbox.find.bind(outbox),
    markDispatched: outbox.markDispatched.bind(outbox),
    saveProgress: async (record, bitmap, units) => {
      kept.push([...bitmap].reduce((sum, byte) => sum + byte.toString(2).replaceAll('0', '').length, 0));
      return await outbox.saveProgress(record, bitmap, units);
    },
    ...overrides,
  };
}

/** Takes one operation after another, as long as `takes` says. */
function dispatcherThat(takes: (id: string) => boolean | Promise<boolean>): Dispatcher {
  return {
    dispatch: async (operations, { onTaken }: DispatchOptions = {}) => {
      const failures: string[] = [];
      for (const { id } of operations) {
        if (await takes(id)) {
          sent.push(id);
          onTaken?.([id]);
        } else failures.push(id);
      }
      if (failures.length > 0) throw new SagaboxError('DispatchFailed', { destination: 'billing', failures });
    },
  };
}

const takingAll = dispatcherThat(() => true);

async function commit(count: number, messageId = 'm1') {
  const stored = storedRecord(messageId, numberedMessages(count));
  await stores.committer.commit(stored, meter);
  if (stored.outbox === undefined) throw new Error('There is no record');
  return stored.outbox;
}

const find = async () => {
  const record = await stores.outbox.find('m1', meter);
  if (record === undefined) throw new Error('There is no record');
  return record;
};

const flowOf = (dispatcher: Dispatcher, outbox = watchedOutbox()) => ({
  ports: { dispatcher, outbox, clock } as unknown as Ports,
});

describe('a delivery', () => {
  it('whose mark fails again and again sends each message once', async () => {
    await commit(10);
    let failures = 5;
    const markDispatched: OutboxStore['markDispatched'] = async (...given) => {
      failures -= 1;
      if (failures >= 0) throw new Error('throttled');
      await stores.outbox.markDispatched(...given);
    };
    const flow = flowOf(takingAll, watchedOutbox({ markDispatched }));
    const delivery = newDelivery();
    for (let attempt = 0; attempt < 5; attempt += 1)
      await errorOf(dispatchAndMark(flow, await find(), { meter, delivery }));
    await dispatchAndMark(flow, await find(), { meter, delivery });
    expect([sent.length, kept]).toEqual([10, []]);
    expect((await find()).dispatched).toBe(true);
  });

  it('that sends a part sends the rest when it tries again, and so does another one', async () => {
    const record = await commit(10);
    const refusing = (...refused: string[]) => flowOf(dispatcherThat((id) => !refused.includes(id)));
    const delivery = newDelivery();
    await errorOf(dispatchAndMark(refusing('billing-3', 'billing-7'), record, { meter, delivery }));
    await errorOf(dispatchAndMark(refusing('billing-7'), await find(), { meter, delivery }));
    await dispatchAndMark(refusing(), await find(), { meter });
    expect(sent.toSorted()).toEqual(numberedMessages(10).map(({ id }) => id));
    expect(kept).toEqual([8, 9]);
  });

  it('that gets nothing taken keeps nothing', async () => {
    const record = await commit(10);
    await errorOf(dispatchAndMark(flowOf(dispatcherThat(() => false)), record, { meter }));
    expect(kept).toEqual([]);
  });

  it('that fails tells so also when its progress cannot be kept', async () => {
    const record = await commit(10);
    const outbox = watchedOutbox({ saveProgress: () => Promise.reject(new Error('throttled')) });
    const dispatcher = dispatcherThat((id) => id !== 'billing-3');
    const flow = flowOf(dispatcher, outbox);
    expect(await errorOf(dispatchAndMark(flow, record, { meter }))).toHaveProperty('code', 'DispatchFailed');
  });

  it.each([
    [500, []],
    [501, [500]],
    [1000, [500]],
    [1001, [500, 1000]],
  ])('of %i operations keeps its progress after %j', async (count, expected) => {
    const record = await commit(count);
    const taking = async () => {
      await new Promise(setImmediate);
      return true;
    };
    await dispatchAndMark(flowOf(dispatcherThat(taking)), record, { meter });
    expect(kept).toEqual(expected);
    expect(await find()).toMatchObject({ dispatched: true, operations: [] });
  });

  it.each([
    [4999, []],
    [5000, [1]],
  ])('keeps its progress after %i ms: %j', async (durationMs, expected) => {
    const record = await commit(2);
    const taking = async (id: string) => {
      if (id === 'billing-0') clock.pass(durationMs);
      await new Promise(setImmediate);
      return true;
    };
    await dispatchAndMark(flowOf(dispatcherThat(taking)), record, { meter });
    expect(kept).toEqual(expected);
  });

  it('that knows of all that it is sent only marks', async () => {
    const record = await commit(3);
    await stores.outbox.saveProgress(record, Uint8Array.of(0b111), meter);
    const idle = { dispatch: () => Promise.reject(new Error('It has nothing to send')) };
    await dispatchAndMark(flowOf(idle), await find(), { meter });
    expect((await find()).dispatched).toBe(true);
  });
});

describe('a relay', () => {
  const settings = {
    olderThanMs: 15 * minuteMs,
    leaseDurationMs: 5 * minuteMs,
    concurrency: 10,
    includePostponed: true,
    newLeaseOwner: () => 'relay',
    signal: new AbortController().signal,
  };

  it('does not send the good messages of a record with a bad one again', async () => {
    await commit(10);
    clock.pass(16 * minuteMs);
    const ports = { ...stores, outbox: watchedOutbox(), clock };
    const dispatcher = dispatcherThat((id) => id !== 'billing-3');
    for (let runs = 0; runs < 5; runs += 1) await relayRecords({ ...ports, dispatcher }, settings);
    expect(sent).toHaveLength(9);
    // With the postponement, in one write.
    expect(kept).toEqual([]);
    await relayRecords({ ...ports, dispatcher: takingAll }, settings);
    expect(sent.toSorted()).toEqual(numberedMessages(10).map(({ id }) => id));
    expect((await find()).dispatched).toBe(true);
  });
});

describe.each<[string, () => Promise<RelayStores>]>([
  ['in memory', async () => memoryRelay()],
  [
    'on DynamoDB',
    async () => dynamoDBRelay({ client, tableName: await createStreamedTable(client), strategy: 'stream' }),
  ],
])('1,200 schedules %s', (_where, open) => {
  const count = 1200;
  const dueAt = new Date(at.getTime() + 10 * 60 * minuteMs).toISOString();
  const destinations = parseDestinations(
    { billing: 'https://sqs.us-east-1.amazonaws.com/000000000000/billing' },
    'test',
  );
  const noTransport = { send: () => Promise.reject(new Error('It sends nothing')) };

  beforeEach(async () => {
    stores = await open();
    const messages = numberedMessages(count).map((message) => ({ ...message, dueAt }));
    await stores.committer.commit(storedRecord('m1', messages), meter);
  });

  /** A function whose time is up after so many calls. */
  function worker(calls: number) {
    const controller = new AbortController();
    let made = 0;
    const scheduler: Scheduler = {
      schedule: async ({ id }) => {
        await new Promise(setImmediate);
        sent.push(id);
        made += 1;
        if (made >= calls) controller.abort(new Error('time is up'));
      },
      cancel: async () => {},
    };
    const transports = { queue: noTransport, topic: noTransport, eventBus: noTransport };
    const dispatcher = new RoutedDispatcher({ destinations, transports, scheduler, clock });
    return { flow: flowOf(dispatcher), signal: controller.signal };
  }

  async function deliver(calls: number): Promise<void> {
    const { flow, signal } = worker(calls);
    const record = await find();
    if (!record.dispatched) await dispatchAndMark(flow, record, { meter, signal }).catch(() => {});
  }

  it('end over several deliveries, each of which goes on where the one before ended', async () => {
    for (let deliveries = 0; deliveries < 3; deliveries += 1) await deliver(600);
    expect(new Set(sent).size).toBe(count);
    // Calls that were under way when the time was up.
    expect(sent.length).toBeLessThanOrEqual(count + 3 * 10);
    expect(await find()).toMatchObject({ dispatched: true, operations: [] });
  });

  it('end also beside a relay at work on the same record, and neither loses what the other kept', async () => {
    for (let rounds = 0; rounds < 3; rounds += 1) await Promise.all([deliver(600), deliver(400)]);
    expect(new Set(sent).size).toBe(count);
    expect(await find()).toMatchObject({ dispatched: true, operations: [] });
  });

  it('keep the union of what two at work on one record have sent', async () => {
    await Promise.all([deliver(600), deliver(400)]);
    const { operations, sent: bitmap } = await find();
    const isSent = (id: string) => sent.includes(id);
    const known = operations.filter((_one, index) => ((bitmap?.[index >> 3] ?? 0) >> (index & 7)) & 1);
    expect(known.every(({ id }) => isSent(id))).toBe(true);
    expect(known.length).toBeGreaterThanOrEqual(590);
    expect(isAllSent(bitmap, count)).toBe(false);
  });
});

import { median } from '../../test/support/median.ts';
import { type Clients, withClients } from '../../test/support/own-engines/clients.ts';
import { withEngines } from '../../test/support/own-engines/engines.ts';
import { messagesWaiting } from '../../test/support/own-engines/queues.ts';
import { Random } from '../../test/support/random.ts';
import type { Figures } from '../benchmark/figures.ts';
import { inTurns, mapNames } from '../benchmark/in-turns.ts';
import type { BenchRun } from '../benchmark/measure-parts.ts';
import { type Resources, withResources } from '../engines/resources.ts';
import { sagaItem } from '../engines/saga-items.ts';
import type { Deliver, StartContender } from '../orders/contender.ts';
import { newOrder, newOrderId, newParcel } from '../orders/order-data.ts';
import { eventOf, type OrderEvent, packed, placed, sagaName } from '../orders/order-messages.ts';
import { embeddedOrderSaga } from '../orders/order-saga.ts';
import { startSagabox } from '../orders/sagabox.ts';
import { startItemized } from '../peers/itemized.ts';
import { injectServiceTimes } from './service-times.ts';

export const starts = {
  sagabox: startSagabox(),
  embedded: startSagabox({}, embeddedOrderSaga),
  itemized: startItemized,
} as const satisfies Record<string, StartContender>;
type ContenderName = keyof typeof starts;
const names = Object.keys(starts) as ContenderName[];

export interface Load {
  /** Messages of one event: one invocation handles all of them. */
  readonly atATime: number;
  /** Events of each contender in each round. */
  readonly events: number;
}

interface Contender {
  readonly deliver: Deliver;
  readonly resources: Resources;
  delivered: number;
}

interface Depth {
  /** Events of each contender in each round, by the messages of one event. */
  readonly events: Readonly<Record<1 | 10 | 50, number>>;
  /** Odd: the median is one of them. */
  readonly rounds: number;
}

/** As many rounds in a short run: what else the machine does falls on few of them. */
const depths: Readonly<Record<BenchRun['depth'], Depth>> = {
  short: { events: { 1: 10, 10: 3, 50: 1 }, rounds: 9 },
  full: { events: { 1: 300, 10: 60, 50: 20 }, rounds: 9 },
};
/** Fewer events: waiting varies less than the work of a processor. */
const depthsWithServiceTimes: typeof depths = {
  short: { events: { 1: 5, 10: 2, 50: 1 }, rounds: 3 },
  full: { events: { 1: 60, 10: 20, 50: 10 }, rounds: 9 },
};
/** As many as one event has, and more where one order would get more messages than this. */
const leastOrders = 50;
const messagesPerOrder = 20;
/** With what is around it, an item of about 1,000 bytes. */
const stateBytes = 850;
const parcelBytes = 180;

type MessagesPerSecond = Record<ContenderName, Record<string, number>>;

/** Messages per second, by contender and by the messages at a time. */
export async function measureThroughput(run: BenchRun): Promise<Figures['throughput']> {
  return await withEngines(async (engines, signal) => {
    const measureOn = async (clients: Clients, { events, rounds }: Depth, how: string) => {
      const loads = Object.entries(events).map(([atATime, count]) => {
        return { atATime: Number(atATime), events: count };
      });
      const progress = (line: string) => run.progress(`${line}, ${how}`);
      return await throughputOn(clients, loads, rounds, { ...run, signal, progress });
    };
    const asItIs = await withClients(engines, (clients) =>
      measureOn(clients, depths[run.depth], 'the engines as they are'),
    );
    const withServiceTimes = await withClients(engines, (clients) => {
      injectServiceTimes(clients);
      return measureOn(clients, depthsWithServiceTimes[run.depth], 'with service times');
    });
    return { ...asItIs, withServiceTimes } as Figures['throughput'];
  }, run.signal);
}

/**
 * All contenders on the same clients and the same messages. Each event has as many messages as the load says,
 * of as many orders, and the next one comes when it is done.
 *
 * @throws Error if a message was lost, or applied twice
 */
export async function throughputOn(
  clients: Clients,
  ofLoads: readonly Load[],
  roundCount: number,
  { signal, progress, control }: Pick<BenchRun, 'signal' | 'progress' | 'control'>,
): Promise<MessagesPerSecond> {
  const random = new Random(1);
  const messages = ofLoads.reduce((sum, { atATime, events }) => sum + atATime * events, 0) * (1 + roundCount);
  const orderCount = Math.max(leastOrders, Math.ceil(messages / messagesPerOrder));
  const orderIds = Array.from({ length: orderCount }, () => newOrderId(random));
  const figures: MessagesPerSecond = mapNames(names, () => ({}));
  return await withContenders(clients, async (contenders) => {
    for (let first = 0; first < orderCount; first += leastOrders) {
      const some = orderIds.slice(first, first + leastOrders);
      const opening = eventOf(some.map((orderId) => placed(orderId, newOrder(random, stateBytes))));
      for (const { deliver } of Object.values(contenders)) await deliver(opening);
    }

    let sent = 0;
    const nextOrderId = () => orderIds[sent++ % orderCount] ?? '';
    for (const { atATime, events } of ofLoads) {
      progress(`Throughput: ${atATime} at a time`);
      const newRound = () => eventsOf({ atATime, events }, nextOrderId, random);
      const warmUp = newRound();
      const measured = Array.from({ length: roundCount }, newRound);
      await inTurns(names, 1, (name) => deliverAll(contenders[name], warmUp, signal));
      const speeds = await inTurns(names, roundCount, async (name, index) => {
        await control?.betweenRuns();
        return await deliverAll(contenders[name], measured[index] ?? [], signal);
      });
      for (const name of names) figures[name][atATime] = median(speeds[name]);
    }
    for (const [name, contender] of Object.entries(contenders)) {
      await assertDone(name, contender, orderIds);
    }
    return figures;
  });
}

/** The events of one round. Each has messages of different orders, as long as there are enough. */
function eventsOf({ atATime, events }: Load, nextOrderId: () => string, random: Random): OrderEvent[] {
  const message = () => packed(nextOrderId(), [newParcel(random, parcelBytes)]);
  return Array.from({ length: events }, () => eventOf(Array.from({ length: atATime }, message)));
}

/** Each with a table and a queue of its own. */
async function withContenders<T>(
  clients: Clients,
  work: (contenders: Record<ContenderName, Contender>) => Promise<T>,
): Promise<T> {
  const using = (name: ContenderName, next: (contender: Contender) => Promise<T>) =>
    withResources(clients, `throughput-${name}`, (resources) =>
      next({ deliver: starts[name](resources), resources, delivered: 0 }),
    );
  return await using('sagabox', (sagabox) =>
    using('embedded', (embedded) => using('itemized', (itemized) => work({ sagabox, embedded, itemized }))),
  );
}

/** @returns messages per second */
async function deliverAll(
  contender: Contender,
  events: readonly OrderEvent[],
  signal: AbortSignal,
): Promise<number> {
  const messages = events.reduce((sum, { Records }) => sum + Records.length, 0);
  const startedAt = performance.now();
  for (const event of events) {
    signal.throwIfAborted();
    await contender.deliver(event);
  }
  contender.delivered += messages;
  return messages / ((performance.now() - startedAt) / 1000);
}

/** A speed is worth nothing for work that was not done. */
async function assertDone(
  name: string,
  { resources, delivered }: Contender,
  orderIds: readonly string[],
): Promise<void> {
  const applied = await appliedIn(resources, orderIds);
  const sent = await messagesWaiting(resources.sqsClient, resources.queueUrl);
  if (applied === delivered && sent === delivered) return;
  throw new Error(`${name}: of ${delivered} messages ${applied} were applied, and ${sent} were sent`);
}

/** Messages that changed the orders. Both contenders count the version of a saga up with each commit. */
export async function appliedIn(resources: Resources, orderIds: readonly string[]): Promise<number> {
  const items = await Promise.all(orderIds.map((id) => sagaItem(resources, { name: sagaName, id })));
  return items.reduce((sum, item) => sum + Number(item?.version?.N ?? 1) - 1, 0);
}

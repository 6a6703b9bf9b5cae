import type { MessagesPerSecond } from '../benchmark-figures.ts';
import { withResources } from '../cost/resources.ts';
import type { Clients } from './clients.ts';
import type { Contender, ContenderName, Resources } from './contender.ts';
import { startItemized } from './itemized.ts';
import { ledgerOf, packedIn } from './ledger.ts';
import { median } from './median.ts';
import { startSagabox } from './sagabox.ts';
import { eventOf, opened, packed, type ShipmentEvent, textOf } from './shipment-messages.ts';

export interface Load {
  /** Messages of one event: one invocation works on all of them. */
  readonly atATime: number;
  /** Of each contender in each round. */
  readonly messages: number;
  readonly rounds: number;
}

interface Runner {
  readonly name: ContenderName;
  readonly contender: Contender;
  readonly resources: Resources;
}

const shipments = 50;
/** With what is around it, an item of about 1,000 bytes. */
const manifestBytes = 780;

/**
 * Both contenders on the same clients and the same messages, in rounds that alternate. Each event has so many messages, of as
 * many shipments, and the next one comes when it is done.
 */
export async function compareThroughput(
  clients: Clients,
  loads: readonly Load[],
  signal: AbortSignal,
  onLoad: (load: Load) => void = () => {},
): Promise<readonly MessagesPerSecond[]> {
  return await withResources(clients, 'throughput-sagabox', (own) =>
    withResources(clients, 'throughput-itemized', async (peers) => {
      const sagabox: Runner = { name: 'sagabox', contender: startSagabox(own), resources: own };
      const itemized: Runner = { name: 'itemized', contender: startItemized(peers), resources: peers };
      const runners = [sagabox, itemized];
      const shipmentIds = Array.from({ length: shipments }, (_, index) => `shipment-${index}`);
      const manifest = textOf(manifestBytes);
      const opening = eventOf(shipmentIds.map((shipmentId) => opened(shipmentId, manifest)));
      for (const { contender } of runners) await contender.deliver(opening);

      let delivered = 0;
      const measured: MessagesPerSecond[] = [];
      for (const load of loads) {
        onLoad(load);
        const warmUp: Load = { ...load, rounds: 1 };
        await runRounds(runners, shipmentIds, warmUp, signal);
        const speeds = await runRounds(runners, shipmentIds, load, signal);
        measured.push(speedsOf(speeds));
        delivered += messagesIn(warmUp) + messagesIn(load);
      }
      for (const runner of runners) await assertDone(runner, shipmentIds, delivered);
      return measured;
    }),
  );
}

/** Messages per second in each round. */
type Speeds = Readonly<Record<ContenderName, number[]>>;

async function runRounds(
  runners: readonly Runner[],
  shipmentIds: readonly string[],
  load: Load,
  signal: AbortSignal,
): Promise<Speeds> {
  const speeds: Speeds = { sagabox: [], itemized: [] };
  for (let round = 0; round < load.rounds; round += 1) {
    const events = eventsOf(shipmentIds, load);
    // Who comes first changes: neither always follows the other.
    const order = round % 2 === 0 ? runners : runners.toReversed();
    for (const { name, contender } of order) {
      const startedAt = performance.now();
      for (const event of events) {
        signal.throwIfAborted();
        await contender.deliver(event);
      }
      const seconds = (performance.now() - startedAt) / 1000;
      speeds[name].push((events.length * load.atATime) / seconds);
    }
  }
  return speeds;
}

function speedsOf(speeds: Speeds): MessagesPerSecond {
  const sagabox = median(speeds.sagabox);
  const itemized = median(speeds.itemized);
  return { sagabox, itemized, ratio: sagabox / itemized };
}

function eventsOf(shipmentIds: readonly string[], load: Load): ShipmentEvent[] {
  return Array.from({ length: eventsPerRound(load) }, (_, event) => {
    const first = event * load.atATime;
    const messages = Array.from({ length: load.atATime }, (_, index) =>
      packed(shipmentIds[(first + index) % shipmentIds.length] ?? ''),
    );
    return eventOf(messages);
  });
}

function eventsPerRound({ messages, atATime }: Load): number {
  return Math.ceil(messages / atATime);
}

/** That one contender gets. */
function messagesIn(load: Load): number {
  return load.rounds * eventsPerRound(load) * load.atATime;
}

/** A speed is worth nothing for work that was not done. */
async function assertDone({ name, resources }: Runner, shipmentIds: readonly string[], messages: number) {
  const ledger = await ledgerOf(resources, shipmentIds);
  if (packedIn(ledger) !== messages || ledger.sent !== messages) {
    throw new Error(
      `${name}: of ${messages} messages ${packedIn(ledger)} were applied, and ${ledger.sent} were sent`,
    );
  }
}

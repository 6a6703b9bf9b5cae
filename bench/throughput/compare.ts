import { defaults } from '../../lib/middleware/defaults.ts';
import type { Clients } from '../../test/support/own-engines/clients.ts';
import { type Resources, withResources } from '../engines/resources.ts';
import type { Contender, ContenderName, StartContender } from './contender.ts';
import { startItemized } from './itemized.ts';
import { ledgerOf, packedIn } from './ledger.ts';
import { type Load, loadEvents, messagesIn } from './load.ts';
import { startSagabox, startSagaboxDefaultConcurrency } from './sagabox.ts';
import { eventOf, opened, type ShipmentEvent, textOf } from './shipment-messages.ts';
import { type Speeds, type ThroughputOfLoad, throughputOf } from './speeds.ts';

interface Runner {
  readonly name: ContenderName;
  readonly contender: Contender;
  readonly resources: Resources;
  delivered: number;
}

const starts: Readonly<Record<ContenderName, StartContender>> = {
  sagabox: startSagabox,
  itemized: startItemized,
  sagaboxDefaultConcurrency: startSagaboxDefaultConcurrency,
};
const shipmentIds = Array.from({ length: 50 }, (_, index) => `shipment-${index}`);
/** With what is around it, an item of about 1,000 bytes. */
const manifestBytes = 780;

/**
 * All contenders on the same clients and the same messages, in rounds that alternate. Each event has so many
 * messages, of as many shipments, and the next one comes when it is done. Sagabox with its default
 * concurrency takes part where it differs.
 *
 * @throws when a message was lost, or applied twice
 */
export async function compareThroughput(
  clients: Clients,
  loads: readonly Load[],
  signal: AbortSignal,
  onLoad: (load: Load) => void = () => {},
): Promise<readonly ThroughputOfLoad[]> {
  const names = Object.keys(starts) as ContenderName[];
  return await withRunners(clients, names, async (runners) => {
    const manifest = textOf(manifestBytes);
    const opening = eventOf(shipmentIds.map((shipmentId) => opened(shipmentId, manifest)));
    for (const { contender } of runners) await contender.deliver(opening);

    const measured: ThroughputOfLoad[] = [];
    for (const load of loads) {
      onLoad(load);
      const taking = runners.filter(({ name }) => takesPart(name, load));
      await runRounds(taking, { ...load, rounds: 1 }, signal);
      measured.push(throughputOf(await runRounds(taking, load, signal)));
    }
    for (const runner of runners) await assertDone(runner);
    return measured;
  });
}

function takesPart(name: ContenderName, { atATime }: Load): boolean {
  return name !== 'sagaboxDefaultConcurrency' || atATime > defaults.concurrency;
}

/** Each with a table and a queue of its own. */
async function withRunners<T>(
  clients: Clients,
  [name, ...others]: readonly ContenderName[],
  work: (runners: readonly Runner[]) => Promise<T>,
): Promise<T> {
  if (name === undefined) return await work([]);
  return await withResources(clients, `throughput-${name}`, (resources) =>
    withRunners(clients, others, (behind) =>
      work([{ name, contender: starts[name](resources), resources, delivered: 0 }, ...behind]),
    ),
  );
}

async function runRounds(runners: readonly Runner[], load: Load, signal: AbortSignal): Promise<Speeds> {
  const speeds: Speeds = { sagabox: [], itemized: [], sagaboxDefaultConcurrency: [] };
  for (let round = 0; round < load.rounds; round += 1) {
    const events = loadEvents(shipmentIds, load);
    // Who comes first changes: none always follows the same other one.
    for (const runner of round % 2 === 0 ? runners : runners.toReversed()) {
      const seconds = await secondsOf(runner, events, signal);
      runner.delivered += messagesIn(load);
      speeds[runner.name].push(messagesIn(load) / seconds);
    }
  }
  return speeds;
}

async function secondsOf(
  { contender }: Runner,
  events: readonly ShipmentEvent[],
  signal: AbortSignal,
): Promise<number> {
  const startedAt = performance.now();
  for (const event of events) {
    signal.throwIfAborted();
    await contender.deliver(event);
  }
  return (performance.now() - startedAt) / 1000;
}

/** A speed is worth nothing for work that was not done. */
async function assertDone({ name, resources, delivered }: Runner): Promise<void> {
  const ledger = await ledgerOf(resources, shipmentIds);
  if (packedIn(ledger) !== delivered || ledger.sent !== delivered) {
    throw new Error(
      `${name}: of ${delivered} messages ${packedIn(ledger)} were applied, and ${ledger.sent} were sent`,
    );
  }
}

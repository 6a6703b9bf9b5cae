import { relayOutbox } from 'sagabox';
import { CallRecorder } from '../../lib/capacity/measured/call-recorder.ts';
import { TRANSACTION_FACTOR, writeUnits } from '../../lib/dynamodb/capacity-units.ts';
import { silentLogger } from '../../lib/testing/silent-logger.ts';
import { median } from '../../test/support/median.ts';
import { type Clients, withClients } from '../../test/support/own-engines/clients.ts';
import { withEngines } from '../../test/support/own-engines/engines.ts';
import type { Figures } from '../benchmark/figures.ts';
import { inTurns, mapNames, mapNamesInSequence } from '../benchmark/in-turns.ts';
import type { BenchRun } from '../benchmark/measure-parts.ts';
import { type Units, unitsOf, worst } from '../cost/figures.ts';
import { type Resources, withResources } from '../engines/resources.ts';
import { endpoint, shipping } from '../orders/order-messages.ts';
import { compressedOrderSaga, orderSaga } from '../orders/order-saga.ts';
import { fill } from './fill.ts';
import { type Order, placeOrder } from './order.ts';

export interface GrowthDepth {
  /** That the two outbox tables hold. */
  readonly outboxRecords: { readonly fewest: number; readonly most: number };
  /** Timed messages of each table, and of each size. */
  readonly runs: number;
  readonly warmUp: number;
  readonly idleRelays: number;
}

const depths: Readonly<Record<BenchRun['depth'], GrowthDepth>> = {
  short: { outboxRecords: { fewest: 1_000, most: 5_000 }, runs: 30, warmUp: 10, idleRelays: 5 },
  full: { outboxRecords: { fewest: 1_000, most: 1_000_000 }, runs: 800, warmUp: 200, idleRelays: 50 },
};
const stateKB = ['1', '10', '100'] as const;
const smallSagaBytes = 1_000;
/** Messages whose calls are recorded. */
const recordedMessages = 3;
/** To fill a table takes minutes. */
const reportedRecords = 50_000;

type Work = () => Promise<unknown>;

export async function measureGrowth({ depth, signal, progress }: BenchRun): Promise<Figures['growth']> {
  return await withEngines(
    (engines, ending) =>
      withClients(engines, (clients) => growthOn(clients, depths[depth], { signal: ending, progress })),
    signal,
  );
}

/** Both tables are in one engine, and take turns. */
export async function growthOn(
  clients: Clients,
  depth: GrowthDepth,
  run: Pick<BenchRun, 'signal' | 'progress'>,
): Promise<Figures['growth']> {
  const withTable = <T>(work: (resources: Resources) => Promise<T>) => withResources(clients, 'growth', work);
  return await withTable((fewest) => withTable((most) => growthOf({ fewest, most }, depth, run)));
}

type Tables = Readonly<Record<'fewest' | 'most', Resources>>;

async function growthOf(
  tables: Tables,
  { outboxRecords, runs, warmUp, idleRelays }: GrowthDepth,
  { signal, progress }: Pick<BenchRun, 'signal' | 'progress'>,
): Promise<Figures['growth']> {
  const names = ['fewest', 'most'] as const;
  const ofMessages = { runs, warmUp, recorded: recordedMessages };
  for (const name of names) {
    const records = outboxRecords[name];
    progress(`Growth: putting ${records} records into an outbox table`);
    await fill(tables[name].dynamoDBClient, tables[name].tableName, records, signal, (done) => {
      if (done % reportedRecords === 0) progress(`Growth: ${done} of ${records} records are in the table`);
    });
  }

  progress('Growth: messages, by the records in the table');
  const orders = await mapNamesInSequence(names, (name) => placeOrder(tables[name], smallSagaBytes));
  const packs = mapNames(names, (name) => orders[name].pack);
  const messages = await pointsOf(tables.fewest, packs, ofMessages, signal);

  progress('Growth: relays that find no record');
  const relays = mapNames(names, (name) => idleRelay(tables[name]));
  const idle = await pointsOf(tables.fewest, relays, { runs: idleRelays, warmUp: 2, recorded: 1 }, signal);

  progress('Growth: messages, by the size of the saga');
  return {
    outboxRecords: { [outboxRecords.fewest]: messages.fewest, [outboxRecords.most]: messages.most },
    idleRelay: { [outboxRecords.fewest]: idle.fewest, [outboxRecords.most]: idle.most },
    ...(await growthOfState(tables.fewest, ofMessages, signal)),
  };
}

/** All sizes and both forms take turns. */
async function growthOfState(
  resources: Resources,
  runs: Runs,
  signal: AbortSignal,
): Promise<Pick<Figures['growth'], 'stateKB' | 'compressedStateKB'>> {
  const placed = (kB: string, saga = orderSaga) => placeOrder(resources, Number(kB) * 1000, saga);
  const plain = await mapNamesInSequence(stateKB, (kB) => placed(kB));
  const compressed = await mapNamesInSequence(stateKB, (kB) => placed(kB, compressedOrderSaga));
  const works = Object.fromEntries(
    stateKB.flatMap((kB) => [
      [`plain ${kB}`, plain[kB].pack],
      [`compressed ${kB}`, compressed[kB].pack],
    ]),
  ) as Record<`${'plain' | 'compressed'} ${(typeof stateKB)[number]}`, Work>;
  const points = await pointsOf(resources, works, runs, signal);
  const itemWcu = ({ itemBytes }: Order) => TRANSACTION_FACTOR * writeUnits(itemBytes);
  return {
    stateKB: mapNames(stateKB, (kB) => ({ ...points[`plain ${kB}`], itemWcu: itemWcu(plain[kB]) })),
    compressedStateKB: mapNames(stateKB, (kB) => ({
      ...points[`compressed ${kB}`],
      itemWcu: itemWcu(compressed[kB]),
    })),
  };
}

interface Runs {
  readonly runs: number;
  /** Runs that are not timed. */
  readonly warmUp: number;
  /** Runs whose calls are recorded, after the timed ones. */
  readonly recorded: number;
}

/** The median time of each work in turns with the others, and the most that a run of it takes. */
export async function pointsOf<Name extends string>(
  clients: Clients,
  works: Readonly<Record<Name, Work>>,
  { runs, warmUp, recorded }: Runs,
  signal: AbortSignal,
): Promise<Record<Name, Units & { readonly micros: number }>> {
  const names = Object.keys(works) as Name[];
  const micros = await inTurns(names, warmUp + runs, async (name) => {
    signal.throwIfAborted();
    const startedAt = performance.now();
    await works[name]();
    return (performance.now() - startedAt) * 1000;
  });
  return await mapNamesInSequence(names, async (name) => ({
    ...(await unitsOfRuns(clients, works[name], recorded)),
    micros: median(micros[name].slice(warmUp)),
  }));
}

async function unitsOfRuns({ dynamoDBClient, sqsClient }: Clients, work: Work, runs: number): Promise<Units> {
  const recorder = new CallRecorder();
  const stop = recorder.watch(dynamoDBClient, sqsClient);
  try {
    const units: Units[] = [];
    for (let run = 0; run < runs; run += 1) {
      const calls = await recorder.during(async () => void (await work()));
      const refused = calls.find(({ refusedWcu }) => refusedWcu > 0);
      if (refused) throw new Error(`The units are worth nothing: ${refused.operation} was refused`);
      units.push(unitsOf(calls));
    }
    const [doubt] = recorder.doubts;
    if (doubt !== undefined) throw new Error(`The units are worth nothing: ${doubt}`);
    return worst(units);
  } finally {
    stop();
  }
}

/** A run of the relay that reads its list, in a table whose records are all dispatched. */
function idleRelay({ dynamoDBClient, sqsClient, tableName, queueUrl }: Resources): Work {
  const relay = relayOutbox({
    endpoint,
    outboxTable: { tableName },
    destinations: { [shipping]: queueUrl },
    strategy: 'stream',
    dynamoDBClient,
    sqsClient,
    logger: silentLogger,
  });
  return async () => {
    const { found } = await relay();
    if (found > 0) throw new Error(`The relay found ${found} records in a table of dispatched ones`);
  };
}

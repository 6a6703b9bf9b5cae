import { type Clients, withClients } from '../../test/support/own-engines/clients.ts';
import { withEngines } from '../../test/support/own-engines/engines.ts';
import type { BenchRun } from '../benchmark/bench-run.ts';
import type { GrowthFigures } from '../benchmark/benchmark-figures.ts';
import { withResources } from '../engines/resources.ts';
import { depths, type GrowthDepth } from './depths.ts';
import { fill } from './fill.ts';
import { type FilledTable, idleRelayByRecords, messagesByRecords } from './outbox-records.ts';
import { messagesByStateSize } from './state-size.ts';

/** To fill a table takes minutes. */
const reportedRecords = 50_000;
const layout = { relayIndex: true } as const;

export async function measureGrowth({ depth, signal, progress }: BenchRun): Promise<GrowthFigures> {
  return await withEngines(
    (engines, ending) =>
      withClients(engines, (clients) => growthOn(clients, depths[depth], ending, progress)),
    signal,
  );
}

/** Both tables are in one engine, and take turns. */
export async function growthOn(
  clients: Clients,
  depth: GrowthDepth,
  signal: AbortSignal,
  progress: BenchRun['progress'],
): Promise<GrowthFigures> {
  const [fewest, most] = depth.outboxRecords;
  const measure = async (tables: readonly [FilledTable, FilledTable]): Promise<GrowthFigures> => {
    for (const { resources, records } of tables) {
      progress(`Growth: putting ${records} records into an outbox table`);
      await fill(clients.dynamoDBClient, resources.tableName, records, signal, (done) => {
        if (done % reportedRecords === 0) progress(`Growth: ${done} of ${records} records are in the table`);
      });
    }
    progress('Growth: messages, by the records in the table');
    const outboxRecords = await messagesByRecords(tables, depth, signal);
    progress('Growth: relays that find nothing');
    const idleRelay = await idleRelayByRecords(tables, depth, signal);
    progress('Growth: messages, by the size of the saga');
    const stateKB = await messagesByStateSize(tables[0].resources, depth, signal);
    return { outboxRecords, idleRelay, stateKB };
  };
  const withTable = <T>(work: (resources: FilledTable['resources']) => Promise<T>) =>
    withResources(clients, 'growth', work, layout);
  return await withTable((small) =>
    withTable((large) =>
      measure([
        { resources: small, records: fewest },
        { resources: large, records: most },
      ]),
    ),
  );
}

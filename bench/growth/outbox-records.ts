import { relayOutbox } from 'sagabox';
import { silentLogger } from '../../lib/testing/silent-logger.ts';
import type { GrowthPoint, IdleRelay } from '../benchmark/benchmark-figures.ts';
import type { Resources } from '../engines/resources.ts';
import { carrier, endpoint } from '../throughput/shipment-messages.ts';
import { costOf } from './cost.ts';
import { type GrowthDepth, recordedMessages } from './depths.ts';
import { interleavedMicros } from './interleaved.ts';
import { openShipment } from './shipment.ts';

/** A table, and how many records it holds besides those of the measured messages. */
export interface FilledTable {
  readonly resources: Resources;
  readonly records: number;
}

const sagaBytes = 1_000;

/** Of a message whose handler changes a saga and sends one message, by the records that the table holds. */
export async function messagesByRecords(
  tables: readonly FilledTable[],
  { runs, warmUp }: GrowthDepth,
  signal: AbortSignal,
): Promise<Record<string, GrowthPoint>> {
  const shipments = [];
  for (const { resources } of tables) shipments.push(await openShipment(resources, sagaBytes));
  const works = shipments.map(({ packParcel }) => packParcel);
  const micros = await interleavedMicros(works, { runs, warmUp }, signal);
  return await byRecords(tables, async ({ resources }, index) => ({
    ...(await costOf(resources, works[index] ?? noWork, recordedMessages)),
    microsPerMessage: micros[index] ?? Number.NaN,
  }));
}

/** Of a run of the relay that finds nothing to do, by its index. */
export async function idleRelayByRecords(
  tables: readonly FilledTable[],
  { idleRelays }: GrowthDepth,
  signal: AbortSignal,
): Promise<Record<string, IdleRelay>> {
  const works = tables.map(({ resources: { dynamoDBClient, sqsClient, tableName, queueUrl } }) => {
    const relay = relayOutbox({
      endpoint,
      outboxTable: { tableName },
      destinations: { [carrier]: queueUrl },
      relayIndex: true,
      strategy: 'index',
      dynamoDBClient,
      sqsClient,
      logger: silentLogger,
    });
    return async () => {
      const { found } = await relay();
      if (found > 0) throw new Error(`The relay found ${found} records where none was to be found`);
    };
  });
  const micros = await interleavedMicros(works, { runs: idleRelays, warmUp: 2 }, signal);
  return await byRecords(tables, async ({ resources }, index) => ({
    ...(await costOf(resources, works[index] ?? noWork, 1)),
    micros: micros[index] ?? Number.NaN,
  }));
}

async function byRecords<T>(
  tables: readonly FilledTable[],
  pointOf: (table: FilledTable, index: number) => Promise<T>,
): Promise<Record<string, T>> {
  const entries: [string, T][] = [];
  for (const [index, table] of tables.entries()) {
    entries.push([String(table.records), await pointOf(table, index)]);
  }
  return Object.fromEntries(entries);
}

async function noWork(): Promise<void> {}

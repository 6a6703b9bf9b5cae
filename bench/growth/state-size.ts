import { TRANSACTION_FACTOR, writeUnits } from '../../lib/core/storage/capacity-units.ts';
import type { GrowthFigures } from '../benchmark/benchmark-figures.ts';
import type { Resources } from '../engines/resources.ts';
import { costOf } from './cost.ts';
import { type GrowthDepth, recordedMessages, stateKB } from './depths.ts';
import { interleavedMicros } from './interleaved.ts';
import { openShipment } from './shipment.ts';

/** Of a message whose handler changes a saga and sends one message, by the kilobytes of the saga's item. */
export async function messagesByStateSize(
  resources: Resources,
  { runs, warmUp }: GrowthDepth,
  signal: AbortSignal,
): Promise<GrowthFigures['stateKB']> {
  const shipments = [];
  for (const kB of stateKB) shipments.push({ kB, ...(await openShipment(resources, Number(kB) * 1000)) });
  const works = shipments.map(({ packParcel }) => packParcel);
  const micros = await interleavedMicros(works, { runs, warmUp }, signal);
  const entries = [];
  for (const [index, { kB, itemBytes, packParcel }] of shipments.entries()) {
    const cost = await costOf(resources, packParcel, recordedMessages);
    const itemWcu = TRANSACTION_FACTOR * writeUnits(itemBytes);
    entries.push([kB, { ...cost, microsPerMessage: micros[index], itemWcu }] as const);
  }
  return Object.fromEntries(entries) as unknown as GrowthFigures['stateKB'];
}

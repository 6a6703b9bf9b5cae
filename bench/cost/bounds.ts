import { readUnits, writeUnits } from '../../lib/core/capacity-units.ts';
import { wanted } from './conditions.ts';
import { batchSize, type Case, type Figures, messageCounts } from './figures.ts';

/** What sagabox may take at most. */
export const bounds: Readonly<Record<Case, Partial<Figures>>> = {
  'N=0': { rcu: 2, wcu: 4 },
  'N=1': { rcu: 2, wcu: 5 },
  'N=3': { rcu: 2, wcu: 8 },
  'N=10': { rcu: 2, wcu: 12 },
  batch10: { calls: 16 },
};

/** Bytes of the item that the published formulas count besides those of the outgoing messages. */
const metadataBytes = 300;

/** What the published formulas give for the itemized layout with `outgoing` messages. */
export function itemizedFormula(outgoing: number): Figures {
  const { sagaBytes, messageBytes } = wanted;
  const query = readUnits(metadataBytes, true);
  const load = readUnits(sagaBytes, true);
  const commit =
    2 * writeUnits(sagaBytes) + 2 * writeUnits(metadataBytes) + outgoing * 2 * writeUnits(messageBytes);
  const mark = 1;
  const clear = outgoing * writeUnits(messageBytes);
  // Query, GetItem, TransactWriteItems, UpdateItem; and with something to send, SendMessageBatch and BatchWriteItem.
  return { calls: outgoing === 0 ? 4 : 6, rcu: query + load, wcu: commit + mark + clear };
}

/** A batch is as many messages as it has: the itemized layout shares nothing between them. */
export const itemizedFormulas: Readonly<Record<Case, Figures>> = {
  ...(Object.fromEntries(
    messageCounts.map((count) => [`N=${count}`, itemizedFormula(count)] as const),
  ) as Record<Exclude<Case, 'batch10'>, Figures>),
  batch10: times(itemizedFormula(1), batchSize),
};

function times({ calls, rcu, wcu }: Figures, count: number): Figures {
  return { calls: calls * count, rcu: rcu * count, wcu: wcu * count };
}

import { readUnits, writeUnits } from '../../lib/core/storage/capacity-units.ts';
import { wanted } from './conditions.ts';
import { type Case, cases, type Figures, loadOf } from './figures.ts';

/** Bytes of the item that the published formulas count besides those of the outgoing messages. */
const metadataBytes = 300;

/**
 * What the published formulas give for the itemized layout with `outgoing` messages.
 *
 * @param hasSaga without one, only the metadata is committed
 */
export function itemizedFormula(outgoing: number, hasSaga = true): Figures {
  const { sagaBytes, messageBytes } = wanted;
  const query = readUnits(metadataBytes, true);
  const load = readUnits(sagaBytes, true);
  const saga = hasSaga ? 2 * writeUnits(sagaBytes) : 0;
  const commit = saga + 2 * writeUnits(metadataBytes) + outgoing * 2 * writeUnits(messageBytes);
  const mark = 1;
  const clear = outgoing * writeUnits(messageBytes);
  // Query, GetItem, TransactWriteItems, UpdateItem; and with something to send, SendMessageBatch and
  // BatchWriteItem.
  return { calls: outgoing === 0 ? 4 : 6, rcu: query + load, wcu: commit + mark + clear };
}

/** A batch is as many messages as it has: the itemized layout shares nothing between them. */
export const itemizedFormulas = Object.fromEntries(
  cases.map((name) => {
    const { messages, outgoing, hasSagas } = loadOf(name);
    return [name, times(itemizedFormula(outgoing, hasSagas), messages)];
  }),
) as Readonly<Record<Case, Figures>>;

function times({ calls, rcu, wcu }: Figures, count: number): Figures {
  return { calls: calls * count, rcu: rcu * count, wcu: wcu * count };
}

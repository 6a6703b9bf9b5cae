import { readUnits, writeUnits } from '../../lib/core/storage/capacity-units.ts';
import { mapNames } from '../benchmark/in-turns.ts';
import { cases, loadOf, type Units, wanted } from './figures.ts';

/** Bytes of the item that the published formulas count besides those of the outgoing messages. */
const metadataBytes = 300;

/**
 * What the published formulas give for the itemized layout. A batch takes as much as its messages by
 * themselves: they share nothing. Without a saga, only the metadata is committed.
 */
export const itemizedFormulas = mapNames(cases, (name): Units => {
  const { messages, outgoing, hasSagas } = loadOf(name);
  const { sagaBytes, messageBytes } = wanted;
  const query = readUnits(metadataBytes, true);
  const load = readUnits(sagaBytes, true);
  const saga = hasSagas ? 2 * writeUnits(sagaBytes) : 0;
  const commit = saga + 2 * writeUnits(metadataBytes) + outgoing * 2 * writeUnits(messageBytes);
  const mark = 1;
  const clear = outgoing * writeUnits(messageBytes);
  // Query, GetItem, TransactWriteItems, UpdateItem; with messages to send SendMessageBatch and
  // BatchWriteItem.
  const calls = outgoing === 0 ? 4 : 6;
  const wcu = messages * (commit + mark + clear);
  return { calls: messages * calls, rcu: messages * (query + load), wcu, refusedWcu: 0 };
});

import type { CapacityMeter } from '../dynamodb/capacity-meter.ts';
import { type ItemKey, isKeyName } from '../dynamodb/keys.ts';
import { mapConcurrently } from '../kernel/async/map-concurrently.ts';
import type { StreamedTable, TableChange } from './streamed-table.ts';

export interface WatchTerms {
  readonly table: StreamedTable;
  readonly now: Date;
  readonly meter: CapacityMeter;
  /** The endpoints whose unsent records and entries are listed. @default - all */
  readonly endpoints?: ReadonlySet<string> | undefined;
}

/** The result of a batch of changes. */
export interface WatchResult {
  /** Items that were read, because their newest change in the batch does not show them as sent. */
  looked: number;
  listed: number;
  /** Partition keys of items with unsent messages but no endpoint name: no relay can send these. */
  readonly unlistable: string[];
}

const CONCURRENCY = 25;

/**
 * Lists the records and entries of changed items that neither the newest change nor a read of the item shows
 * as sent. Only the mark counts: the dispatch comes before the mark, and the mark is final.
 *
 * ```text
 *  changes ─► newest of each item ─► may be unsent? ─► look at the item ─► unsent? ─► list
 * ```
 *
 * @throws the error of a read or of the list: the batch has to come again then
 */
export async function listUnsent(
  changes: readonly TableChange[],
  { table, now, meter, endpoints }: WatchTerms,
): Promise<WatchResult> {
  const items = itemsToLookAt(changes);
  const result: WatchResult = { looked: items.length, listed: 0, unlistable: [] };
  await mapConcurrently(items, CONCURRENCY, async (item) => {
    for (const unsent of await table.unsentIn(item, meter)) {
      const { endpoint } = unsent;
      if (!isKeyName(endpoint)) result.unlistable.push(unsent.partition);
      else if (endpoints === undefined || endpoints.has(endpoint)) {
        await table.list({ ...unsent, storedAt: listedTime(unsent.storedAt, now) }, meter);
        result.listed += 1;
      }
    }
  });
  return result;
}

function itemsToLookAt(changes: readonly TableChange[]): ItemKey[] {
  const newest = new Map<string, TableChange>();
  for (const change of changes) {
    const id = JSON.stringify([change.item.partition, change.item.sort]);
    const known = newest.get(id);
    if (known === undefined || change.sequence >= known.sequence) newest.set(id, change);
  }
  return [...newest.values()].filter(({ mayBeUnsent }) => mayBeUnsent).map(({ item }) => item);
}

/** The time for the list: a clock that was ahead, or an unreadable time, must not hide a record. */
function listedTime(storedAt: Date, now: Date): Date {
  if (Number.isNaN(storedAt.getTime())) return new Date(0);
  return storedAt > now ? now : storedAt;
}

import { mapConcurrently } from '../../core/async/map-concurrently.ts';
import type { CapacityMeter } from '../../core/storage/capacity-meter.ts';
import { type ItemKey, isKeyName } from '../../core/storage/keys.ts';
import type { StreamedTable, TableChange } from '../../ports/streamed-table.ts';

export interface WatchTerms {
  readonly table: StreamedTable;
  readonly now: Date;
  readonly meter: CapacityMeter;
  /** Of which endpoints things are listed. @default - of all */
  readonly endpoints?: ReadonlySet<string> | undefined;
}

/** What a batch of changes led to. */
export interface WatchResult {
  /** Items that were looked at, as no change of them in the batch shows that they are sent. */
  looked: number;
  listed: number;
  /** Partition keys of items that hold things without the name of an endpoint, which nobody can relay. */
  readonly unlistable: string[];
}

const CONCURRENCY = 25;

/**
 * Lists what the changes of a table do not show to be sent, and a look at the item does not either. Only the sight of
 * the mark lets a thing go: its dispatch comes before the mark, and the mark is final.
 *
 * ```text
 *  changes ─► newest of each item ─► may be unsent? ─► look at the item ─► unsent? ─► list
 * ```
 *
 * @throws what a look or the list fails with: the batch has to come again then
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

/** A clock that was ahead, or a time that cannot be read, keeps nothing from being found. */
function listedTime(storedAt: Date, now: Date): Date {
  if (Number.isNaN(storedAt.getTime())) return new Date(0);
  return storedAt > now ? now : storedAt;
}

import type { CapacityMeter } from '../dynamodb/capacity-meter.ts';
import type { ItemKey } from '../dynamodb/keys.ts';
import type { UnsentItem } from './unsent-items.ts';

/** A change of an item in a table, as its stream tells it. */
export interface TableChange {
  readonly item: ItemKey;
  /** Of two changes of an item the newer one has the higher number. */
  readonly sequence: bigint;
  /** Whether the change does not show that all is sent. */
  readonly mayBeUnsent: boolean;
}

/** A table, for the watcher of its changes. */
export interface StreamedTable {
  /** What the item holds that is not sent, by a consistent read. */
  unsentIn(item: ItemKey, meter: CapacityMeter): Promise<readonly UnsentItem[]>;
  /** Puts it on the list of its endpoint; once more changes nothing. */
  list(unsent: UnsentItem, meter: CapacityMeter): Promise<void>;
}

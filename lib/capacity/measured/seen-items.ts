import { itemSize } from '../../core/item-size.ts';
import { recoveryIndex } from '../../core/recovery-index.ts';
import { tableDefaults } from '../../core/table-defaults.ts';
import type { Item } from './recorded-call.ts';

/** What of an item decides on the price of the write that replaces it. */
export interface SeenItem {
  readonly bytes: number;
  /** Whether the recovery's sparse index has it. */
  readonly isIndexed: boolean;
}

const nothing: SeenItem = { bytes: 0, isIndexed: false };

/** What each item of the tables was like when it was last written or read. */
export class SeenItems {
  readonly #items = new Map<string, SeenItem>();
  readonly #keyNames = new Map<string, readonly string[]>();

  /** Of no bytes for an item that is not there, or was not seen. */
  of(tableName: string, keyOrItem: Item): SeenItem {
    return this.#items.get(this.#nameOf(tableName, keyOrItem)) ?? nothing;
  }

  put(tableName: string, item: Item): void {
    this.#items.set(this.#nameOf(tableName, item), seen(item));
  }

  remove(tableName: string, key: Item): void {
    this.#items.delete(this.#nameOf(tableName, key));
  }

  /** Requests with keys tell the names of a table's key attributes, which requests with whole items need. */
  learnKey(tableName: string, key: Item): void {
    if (!this.#keyNames.has(tableName)) this.#keyNames.set(tableName, Object.keys(key).toSorted());
  }

  #nameOf(tableName: string, keyOrItem: Item): string {
    const names = this.#keyNames.get(tableName) ?? [
      tableDefaults.partitionKeyName,
      tableDefaults.sortKeyName,
    ];
    return JSON.stringify([tableName, ...names.map((name) => keyOrItem[name])]);
  }
}

export function seen(item: Item): SeenItem {
  return { bytes: itemSize(item), isIndexed: item[recoveryIndex.partitionKeyName] !== undefined };
}

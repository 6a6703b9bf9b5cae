import { itemSize } from 'sagabox';
import type { Item } from './contender.ts';

/** How large each item of the tables is, from what was written and read: what a write replaces decides on its price too. */
export class ItemSizes {
  readonly #bytes = new Map<string, number>();

  /** Nothing for an item that is not there, or was not seen. */
  of(tableName: string, key: Item): number {
    return this.#bytes.get(nameOf(tableName, key)) ?? 0;
  }

  put(tableName: string, item: Item): void {
    this.#bytes.set(nameOf(tableName, item), itemSize(item));
  }

  remove(tableName: string, key: Item): void {
    this.#bytes.delete(nameOf(tableName, key));
  }
}

function nameOf(tableName: string, { PK, SK }: Item): string {
  return JSON.stringify([tableName, PK?.S, SK?.S]);
}

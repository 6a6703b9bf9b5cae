import { MemoryItems } from '../../lib/adapters/memory/items.ts';
import {
  itemOfRecords,
  type MemoryRecord,
  type MemorySaga,
  type MemorySagaItem,
  MemoryStorage,
} from '../../lib/adapters/memory/storage.ts';
import type { Commit } from '../../lib/core/outbox/commit.ts';
import type { Lease } from '../../lib/core/saga/lease.ts';

export interface Change<T> {
  readonly key: string;
  readonly before: T | undefined;
  readonly after: T | undefined;
}

export interface Changes {
  readonly sagas: Change<MemorySaga>[];
  /** Of sagas with an embedded outbox. */
  readonly embedded: Change<MemorySagaItem>[];
  readonly leases: Change<Lease>[];
  readonly records: Change<MemoryRecord>[];
  items: number;
}

/** Memory that tells what each call changes in it. */
export class ObservedStorage extends MemoryStorage {
  override readonly sagas = new ObservedMap<MemorySaga>();
  override readonly embedded = new ObservedMap<MemorySagaItem>();
  override readonly leases = new ObservedMap<Lease>();
  override readonly records = new ObservedMap<MemoryRecord>();

  /** Takes effect at once, in the moment in which it is called. */
  observe<T>(call: () => T): { readonly result: T; readonly changes: Changes } {
    const items = this.transactionItems.length;
    const result = call();
    const changes = {
      sagas: this.sagas.takeChanges(),
      embedded: this.embedded.takeChanges(),
      leases: this.leases.takeChanges(),
      records: this.records.takeChanges(),
      items: this.transactionItems.length - items,
    };
    return { result, changes };
  }
}

/**
 * What a commit changes, where it finds the item as a neighbour of another form has left it: as one change of it in
 * its own form.
 */
export function asWrittenBy({ embedded: write }: Commit, changes: Changes): Changes {
  const { sagas, embedded } = changes;
  if (write) {
    const found = new Map(sagas.map(({ key, before }) => [key, before && itemOfRecords(before)]));
    return {
      ...changes,
      sagas: sagas.filter(({ key }) => !embedded.some((item) => item.key === key)),
      embedded: embedded.map((item) => ({ ...item, before: item.before ?? found.get(item.key) })),
    };
  }
  const written = new Map(sagas.map(({ key, after }) => [key, after]));
  const taken = embedded.map(({ key, before }) => ({ key, before: before?.saga, after: written.get(key) }));
  const others = sagas.filter(({ key }) => !embedded.some((item) => item.key === key));
  return { ...changes, sagas: [...others, ...taken], embedded: [] };
}

class ObservedMap<T> extends MemoryItems<T> {
  onShown: ((key: string) => void) | undefined;
  #changes: Change<T>[] = [];

  override set(key: string, after: T): this {
    // A constructor of Map may call it before the fields are there; here nothing is given to it.
    this.#changes.push({ key, before: this.get(key), after });
    return super.set(key, after);
  }

  override delete(key: string): boolean {
    const before = this.get(key);
    if (before !== undefined) this.#changes.push({ key, before, after: undefined });
    return super.delete(key);
  }

  override show(key: string): void {
    if (!this.isHidden(key)) return;
    super.show(key);
    this.onShown?.(key);
  }

  takeChanges(): Change<T>[] {
    if (this.#changes.length === 0) return this.#changes;
    const changes = this.#changes;
    this.#changes = [];
    return changes;
  }
}

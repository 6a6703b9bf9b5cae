import { RECORD_SORT_KEY, SAGA_SORT_KEY } from '../../lib/dynamodb/keys.ts';
import type { Lease } from '../../lib/kernel/lease.ts';
import type { Commit } from '../../lib/outbox/commit.ts';
import { MemoryItems } from '../../lib/testing/memory/items.ts';
import {
  itemOfRecords,
  type MemoryRecord,
  type MemorySaga,
  type MemorySagaItem,
  MemoryStorage,
} from '../../lib/testing/memory/storage.ts';
import { type Image, SimulatedStream } from './simulated-stream.ts';

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

/** Memory that tells what each call changes in it, and has a stream of the changes of items that can be relayed. */
export class ObservedStorage extends MemoryStorage {
  override readonly sagas = new ObservedMap<MemorySaga>();
  readonly stream = new SimulatedStream();
  override readonly embedded = new ObservedMap<MemorySagaItem>(({ key, before, after }) =>
    this.stream.add({
      key: { partition: key, sort: SAGA_SORT_KEY },
      before: imageOfSaga(before),
      after: imageOfSaga(after),
    }),
  );
  override readonly records = new ObservedMap<MemoryRecord>(({ key, before, after }) =>
    this.stream.add({
      key: { partition: key, sort: RECORD_SORT_KEY },
      before: imageOfRecord(before),
      after: imageOfRecord(after),
    }),
  );
  /** That of a record is a part of its item. */
  override readonly leases = new ObservedMap<Lease>(({ key: partition }) => {
    const image = imageOfRecord(this.records.get(partition));
    if (image) this.stream.add({ key: { partition, sort: RECORD_SORT_KEY }, before: image, after: image });
  });

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

function imageOfRecord(record: MemoryRecord | undefined): Image {
  return record && { dispatched: { BOOL: record.dispatched } };
}

function imageOfSaga(item: MemorySagaItem | undefined): Image {
  if (item === undefined || item.pending.size === 0) return item && {};
  const entries = [...item.pending.keys()].map((key) => [key, { M: {} }]);
  return { pending: { M: Object.fromEntries(entries) } };
}

class ObservedMap<T> extends MemoryItems<T> {
  readonly #onChange: (change: Change<T>) => void;
  onShown: ((key: string) => void) | undefined;
  #changes: Change<T>[] = [];

  constructor(onChange: (change: Change<T>) => void = () => {}) {
    super();
    this.#onChange = onChange;
  }

  override set(key: string, after: T): this {
    // A constructor of Map may call it before the fields are there; here nothing is given to it.
    this.#note({ key, before: this.get(key), after });
    return super.set(key, after);
  }

  override delete(key: string): boolean {
    const before = this.get(key);
    if (before !== undefined) this.#note({ key, before, after: undefined });
    return super.delete(key);
  }

  #note(change: Change<T>): void {
    this.#changes.push(change);
    this.#onChange(change);
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

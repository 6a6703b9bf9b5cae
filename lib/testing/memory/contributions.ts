import { itemSize } from '../../dynamodb/item-size.ts';
import {
  contributionKey,
  contributionSortPrefix,
  type ItemKey,
  type SagaIdentity,
  sagaKey,
} from '../../dynamodb/keys.ts';
import { tableDefaults } from '../../dynamodb/table-defaults.ts';
import type { Contribution, FoundContribution } from '../../saga/contribution.ts';
import type { Contributions } from '../../saga/contributions.ts';
import { contributionItem } from '../../saga/item/contribution-items.ts';
import type { MemoryStorage } from './storage.ts';

/** Keeps contributions in memory. They do not expire. */
export class MemoryContributions implements Contributions {
  readonly #storage: MemoryStorage;

  constructor(storage: MemoryStorage) {
    this.#storage = storage;
  }

  async *find(saga: SagaIdentity, createdAt: Date, key: string): AsyncGenerator<FoundContribution> {
    const { contributions } = this.#storage;
    const prefix = storageKey({
      partition: sagaKey(saga).partition,
      sort: contributionSortPrefix(createdAt, key),
    });
    const keys = contributions.readableKeys.filter((each) => each.startsWith(prefix));
    for (const each of keys.toSorted()) {
      const found = contributions.read(each);
      if (found) yield structuredClone(found);
    }
  }
}

export function appendTo(storage: MemoryStorage, contribution: Contribution): void {
  const item = contributionKey(contribution);
  const bytes = itemSize(contributionItem(tableDefaults, contribution));
  storage.contributions.set(storageKey(item), { item, value: contribution.value, bytes });
}

export function storageKey({ partition, sort }: ItemKey): string {
  return `${partition} ${sort}`;
}

import type { CapacityMeter } from '../../lib/core/storage/capacity-meter.ts';
import type { Tally } from '../support/tally.ts';
import type { Changes, ObservedStorage } from './observed-storage.ts';

type ItemKind = 'saga' | 'record';

/** A commit in effect: until it is answered, each of its items may be hidden from reads. */
interface VisibleCommit {
  readonly saga: string | undefined;
  readonly records: readonly string[];
  /** What became of the saga; `kept` if the commit did not write it. */
  readonly outcome: 'created' | 'updated' | 'deleted' | 'kept';
}

interface Read {
  readonly commit: VisibleCommit;
  readonly kind: ItemKind;
  readonly isOld: boolean;
}

/** Has commits become visible item by item, and counts the reads that come between. */
export class CommitVisibility {
  readonly #storage: ObservedStorage;
  readonly #coverage: Tally;
  /** The last one on each item, by the item's key. */
  readonly #commits = new Map<string, VisibleCommit>();
  /** Of one attempt at a message, which has a meter of its own. */
  readonly #reads = new WeakMap<CapacityMeter, Read>();

  constructor(storage: ObservedStorage, coverage: Tally) {
    this.#storage = storage;
    this.#coverage = coverage;
  }

  /** @param random from 0 up to 1: which of its items are hidden */
  tookEffect({ sagas: [saga], records }: Changes, random: number): void {
    const outcome = saga === undefined ? 'kept' : outcomeOf(saga);
    const commit: VisibleCommit = { saga: saga?.key, records: records.map(({ key }) => key), outcome };
    const hidden = Math.floor(random * 2 ** (1 + records.length));
    if (saga) {
      this.#commits.set(saga.key, commit);
      if (hidden & 1) this.#storage.sagas.hide(saga.key, saga.before);
    }
    for (const [index, record] of records.entries()) {
      this.#commits.set(record.key, commit);
      if (hidden & (2 << index)) this.#storage.records.hide(record.key, record.before);
    }
  }

  /** The commit of a record was answered: whoever reads now sees all that it wrote. */
  answered(recordKey: string): void {
    const commit = this.#commits.get(recordKey);
    if (commit === undefined) return;
    const { saga, records } = commit;
    if (saga !== undefined && this.#commits.get(saga) === commit) this.#storage.sagas.show(saga);
    for (const record of records) this.#storage.records.show(record);
  }

  /** @returns the key of a hidden item, which is visible from here on */
  showOne(choice: number): string | undefined {
    const hidden = [...this.#commits.keys()].filter((key) => this.#isHidden(key));
    const key = hidden[choice % Math.max(1, hidden.length)];
    if (key !== undefined) this.#show(key);
    return key;
  }

  showAll(): void {
    for (const key of this.#commits.keys()) this.#show(key);
  }

  /**
   * An attempt at a message reads an item, before it may become visible.
   *
   * @returns whether it gets the earlier image
   */
  reads(kind: ItemKind, key: string, attempt: CapacityMeter | undefined): boolean {
    const commit = this.#commits.get(key);
    const isOld = this.#isHidden(key);
    if (isOld) this.#coverage.add(`reads before it is visible: ${kind}`);
    if (commit === undefined || attempt === undefined) return isOld;
    const other = this.#reads.get(attempt);
    this.#reads.set(attempt, { commit, kind, isOld });
    if (other?.commit === commit && other.kind !== kind && other.isOld !== isOld) {
      const seen = isOld ? other.kind : kind;
      this.#coverage.add(`torn reads: the ${seen}, of a commit whose saga is ${commit.outcome}`);
    }
    const isRecordVisible = commit.records.some((record) => !this.#isHidden(record));
    if (kind === 'saga' && isOld && commit.outcome === 'created' && isRecordVisible)
      this.#coverage.add('reads of an absent saga whose first record is visible');
    return isOld;
  }

  #isHidden(key: string): boolean {
    return this.#storage.sagas.isHidden(key) || this.#storage.records.isHidden(key);
  }

  #show(key: string): void {
    this.#storage.sagas.show(key);
    this.#storage.records.show(key);
  }
}

function outcomeOf({ before, after }: Changes['sagas'][number]): VisibleCommit['outcome'] {
  if (after === undefined) return 'deleted';
  return before === undefined ? 'created' : 'updated';
}

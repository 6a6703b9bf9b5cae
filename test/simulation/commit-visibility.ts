import type { CapacityMeter } from '../../lib/dynamodb/capacity-meter.ts';
import type { Tally } from '../support/tally.ts';
import type { Changes, ObservedStorage } from './observed-storage.ts';

type ItemKind = 'saga' | 'record';

type ItemChange = Changes['sagas'][number] | Changes['embedded'][number];

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
  tookEffect({ sagas, embedded, records }: Changes, random: number): void {
    const saga = sagas[0] ?? embedded[0];
    const outcome = saga === undefined ? 'kept' : outcomeOf(saga);
    const commit: VisibleCommit = { saga: saga?.key, records: records.map(({ key }) => key), outcome };
    const hidden = Math.floor(random * 2 ** (1 + records.length));
    if (saga) {
      this.#commits.set(saga.key, commit);
      if (hidden & 1) this.#hide(saga);
    }
    for (const [index, record] of records.entries()) {
      this.#commits.set(record.key, commit);
      if (hidden & (2 << index)) this.#storage.records.hide(record.key, record.before);
    }
  }

  #hide({ key, before }: ItemChange): void {
    const { sagas, embedded } = this.#storage;
    if (embedded.has(key)) embedded.hide(key, before as Changes['embedded'][number]['before']);
    else sagas.hide(key, before as Changes['sagas'][number]['before']);
  }

  /** The commit of an item was answered: whoever reads now sees all that it wrote. */
  answered(key: string): void {
    const commit = this.#commits.get(key);
    if (commit === undefined) return;
    const { saga, records } = commit;
    if (saga !== undefined && this.#commits.get(saga) === commit) this.#show(saga);
    for (const record of records) this.#storage.records.show(record);
  }

  /** @returns the key of a hidden item, which is visible from here on */
  showOne(choice: number): string | undefined {
    const hidden = [...this.#commits.keys()].filter((key) => this.isHidden(key));
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
    const isOld = this.isHidden(key);
    if (isOld) this.#coverage.add(`reads before it is visible: ${kind}`);
    if (commit === undefined || attempt === undefined) return isOld;
    const other = this.#reads.get(attempt);
    this.#reads.set(attempt, { commit, kind, isOld });
    if (other?.commit === commit && other.kind !== kind && other.isOld !== isOld) {
      const seen = isOld ? other.kind : kind;
      this.#coverage.add(`torn reads: the ${seen}, of a commit whose saga is ${commit.outcome}`);
    }
    const isRecordVisible = commit.records.some((record) => !this.isHidden(record));
    if (kind === 'saga' && isOld && commit.outcome === 'created' && isRecordVisible)
      this.#coverage.add('reads of an absent saga whose first record is visible');
    return isOld;
  }

  isHidden(key: string): boolean {
    const { sagas, embedded, records } = this.#storage;
    return sagas.isHidden(key) || embedded.isHidden(key) || records.isHidden(key);
  }

  #show(key: string): void {
    const { sagas, embedded, records } = this.#storage;
    for (const items of [sagas, embedded, records]) items.show(key);
  }
}

function outcomeOf({ before, after }: ItemChange): VisibleCommit['outcome'] {
  if (after === undefined) return 'deleted';
  return before === undefined ? 'created' : 'updated';
}

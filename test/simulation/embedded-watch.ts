import { type SagaIdentity, sagaKey } from '../../lib/dynamodb/keys.ts';
import { type Commit, messagesOf } from '../../lib/outbox/commit.ts';
import { isSent } from '../../lib/outbox/sent-bitmap.ts';
import type { MemorySagaItem } from '../../lib/testing/memory/storage.ts';
import type { Tally } from '../support/tally.ts';
import { sagaName } from './message-script.ts';
import type { Change, Changes, ObservedStorage } from './observed-storage.ts';
import { DEDUPLICATION_MS, MAX_CLOCK_OFFSET_MS } from './scenario.ts';
import type { SendingWatch } from './sending-watch.ts';
import type { Violate } from './violation.ts';

/** How long a message is known for certain: the expiry of its saga's item has the clock of another worker. */
const KEPT_MS = DEDUPLICATION_MS - 2 * MAX_CLOCK_OFFSET_MS;

/** How long a message may come again: its invocation, and a call that this leaves behind, end while it is known. */
const COMES_AGAIN_MS = KEPT_MS - 30_000 - 60_000 - 1_000;

export interface EmbeddedWatchOptions {
  readonly storage: ObservedStorage;
  readonly coverage: Tally;
  readonly violate: Violate;
  readonly sending: SendingWatch;
  readonly nowMs: () => number;
}

/** Checks the items of sagas with an embedded outbox, at each call that takes effect. */
export class EmbeddedWatch {
  readonly #options: EmbeddedWatchOptions;
  readonly #notInItems = new Set<string>();
  /** By the partition of the saga: when its messages were committed, by their ids and the clocks of workers. */
  readonly #committedAtMs = new Map<string, Map<string, number>>();

  constructor(options: EmbeddedWatchOptions) {
    this.#options = options;
  }

  /** Of messages that their records alone tell. @param partition of the saga */
  noteRecords(partition: string, messageIds: readonly string[], at: Date): void {
    this.#assertNew(partition, messageIds);
    this.#commits(partition, messageIds, at);
    for (const messageId of messageIds) this.#notInItems.add(messageId);
  }

  /** @param partition of the saga */
  #commits(partition: string, messageIds: readonly string[], at: Date): void {
    const committed = this.#committedAtMs.get(partition) ?? new Map<string, number>();
    for (const messageId of messageIds) committed.set(messageId, at.getTime());
    this.#committedAtMs.set(partition, committed);
  }

  #assertNew(partition: string, messageIds: readonly string[]): void {
    const committed = this.#committedAtMs.get(partition);
    for (const id of messageIds)
      if (committed?.has(id)) this.#options.violate('I2', `'${id}' was committed before`);
  }

  /** What holds for items, whoever writes them. */
  changed(changes: readonly Change<MemorySagaItem>[]): void {
    for (const { key, after } of changes) if (after) this.#checkItem(key, after);
  }

  #checkItem(partition: string, { saga, isTombstone, pending, expiresAt, revision }: MemorySagaItem): void {
    const { violate, coverage } = this.#options;
    if (revision === undefined) violate('I1', `${partition} is an item of nothing`);
    if (isTombstone !== (saga === undefined))
      violate(
        'I1',
        `${partition} has ${saga ? 'a' : 'no'} state, and is ${isTombstone ? 'a' : 'no'} tombstone`,
      );
    if (isTombstone) coverage.add('tombstones written');
    const isToExpire = isTombstone && pending.size === 0;
    if (isToExpire && expiresAt === undefined) violate('rest', `the tombstone ${partition} stays for ever`);
    if (!isToExpire && expiresAt) {
      const reason = isTombstone ? `has ${pending.size} messages to dispatch` : 'has a state';
      violate('kept', `${partition} ${reason}, and expires`);
    }
  }

  /** A commit, or a discard: what it leaves in the item. @param before the item as the condition of the write saw it */
  checkCommit(
    commit: Commit,
    { embedded, sagas, records }: Changes,
    before: MemorySagaItem | undefined,
  ): void {
    const { violate, coverage } = this.#options;
    const write = commit.embedded;
    const after = embedded[0]?.after;
    if (write === undefined || embedded.length !== 1 || after === undefined || sagas.length > 0) {
      violate('I1', `the commit of '${commit.outbox?.messageId}' writes ${embedded.length} items`);
      return;
    }
    const { partition } = sagaKey(write.saga);
    const read = write.read?.revision;
    if (before?.revision.commitId !== read?.commitId || before?.revision.version !== read?.version)
      violate('I4', `'${commit.outbox?.messageId}' commits from an item that is not the latest`);
    const messages = messagesOf(commit);
    const ids = messages.flatMap(({ outbox }) => outbox?.messageId ?? []);
    this.#assertNew(partition, ids);
    const ownRecords = messages.filter(({ outbox }) => outbox && !outbox.sagaItem).length;
    if (records.length !== ownRecords)
      violate('I1', `a commit has ${ownRecords} outbox records, and writes ${records.length}`);
    const lost = [...(before?.pending.keys() ?? [])].find((key) => !after.pending.has(key));
    if (lost !== undefined) violate('I3', `a commit to ${partition} loses what is pending in it`);
    this.#count(commit, before);
    coverage.add(`commits that leave ${after.isTombstone ? 'a tombstone' : 'a state'}`);
    this.#commits(partition, ids, commit.at);
  }

  #count({ embedded: write, at, outbox }: Commit, before: MemorySagaItem | undefined): void {
    const { coverage } = this.#options;
    if (write === undefined) return;
    if (before?.isTombstone && write.state !== 'none') coverage.add('starts on a tombstone');
    if (before?.isTombstone && write.state === 'none') coverage.add('tombstones written again');
    if (before?.expiresAt && before.expiresAt <= at) coverage.add('commits on an expired tombstone');
    if (write.mustBePending) coverage.add('tombstones that a mark lets expire');
    if (write.isOverflowed) coverage.add('commits of a full inbox');
    else if (outbox && !outbox.sagaItem) coverage.add('commits that do not fit into the item');
    if (write.isOverflowed && before?.isTombstone) coverage.add('commits of a full inbox on a tombstone');
  }

  /** A mark takes away what was dispatched, and changes nothing else. */
  checkMark(
    changes: readonly Change<MemorySagaItem>[],
    operationsOf: (messageId: string) => Operations,
  ): void {
    const { violate, coverage, sending } = this.#options;
    for (const { key, before, after } of changes) {
      if (before === undefined || after === undefined) {
        violate('I1', `${key} comes into being, or goes away, by a mark`);
        continue;
      }
      const isKept =
        before.revision === after.revision && before.saga === after.saga && before.inbox === after.inbox;
      if (!isKept) violate('I1', `a mark changes ${key} itself`);
      const marked = [...before.pending].filter(([entry]) => !after.pending.has(entry));
      for (const [, { messageId }] of marked) sending.checkMark(messageId, operationsOf(messageId));
      if (after.isTombstone) coverage.add('marks of a tombstone');
      if (after.expiresAt) coverage.add('marks that let a tombstone expire');
    }
  }

  /** What an entry keeps as sent was sent, and is not forgotten. */
  checkKept(
    changes: readonly Change<MemorySagaItem>[],
    operationsOf: (messageId: string) => Operations,
  ): void {
    const { violate, sending, coverage } = this.#options;
    for (const { before, after } of changes) {
      for (const [key, { messageId, sent }] of after?.pending ?? []) {
        const known = before?.pending.get(key)?.sent;
        if (sent === known) continue;
        coverage.add('progress kept in an item');
        const operations = operationsOf(messageId);
        sending.checkMark(
          messageId,
          operations.filter((_operation, index) => isSent(sent, index)),
        );
        if (operations.some((_operation, index) => isSent(known, index) && !isSent(sent, index)))
          violate('kept', `the entry of '${messageId}' forgets what was sent of it`);
      }
    }
  }

  /** Why a committed message, which has no record, may not be acknowledged. */
  undispatched(saga: SagaIdentity, messageId: string): string | undefined {
    const { storage, nowMs } = this.#options;
    const { partition } = sagaKey(saga);
    const item = storage.embedded.get(partition);
    const isPending = [...(item?.pending.values() ?? [])].some((entry) => entry.messageId === messageId);
    if (isPending) return 'it is not marked as dispatched';
    const committedAtMs = this.#committedAtMs.get(partition)?.get(messageId);
    if (committedAtMs === undefined || committedAtMs + KEPT_MS <= nowMs()) return undefined;
    const entry = item?.inbox?.find(messageId);
    if (entry === undefined) return 'the item of its saga does not know it';
    const isShort = entry.expiresAt.getTime() < committedAtMs + DEDUPLICATION_MS;
    return isShort ? 'the item of its saga forgets it too early' : undefined;
  }

  /** Whether its deduplication period is about to end: no queue delivers it any more. */
  isOver(saga: SagaIdentity, messageId: string): boolean {
    const { nowMs } = this.#options;
    const committedAtMs = this.#committedAtMs.get(sagaKey(saga).partition)?.get(messageId);
    return committedAtMs !== undefined && committedAtMs + COMES_AGAIN_MS <= nowMs();
  }

  /** How long from now a message may still come again; undefined for one that is not committed. */
  comesAgainForMs(saga: SagaIdentity, messageId: string): number | undefined {
    const committedAtMs = this.#committedAtMs.get(sagaKey(saga).partition)?.get(messageId);
    return committedAtMs === undefined ? undefined : committedAtMs + COMES_AGAIN_MS - this.#options.nowMs();
  }

  /**
   * The time to live of DynamoDB deletes an item, at any time after it expired, and its lease with it.
   *
   * @returns the id of its saga
   */
  deleteExpired(choice: number): string | undefined {
    const { storage, nowMs, violate, coverage } = this.#options;
    const expired = [...storage.embedded].filter(
      ([, { expiresAt }]) => (expiresAt?.getTime() ?? Infinity) <= nowMs(),
    );
    const [key, item] = expired[choice % Math.max(1, expired.length)] ?? [];
    if (key === undefined || item === undefined) return undefined;
    coverage.add('tombstones deleted by their time to live');
    if (item.saga || item.pending.size > 0)
      violate('kept', `the time to live deletes ${key}, which is in use`);
    for (const [messageId, committedAtMs] of this.#committedAtMs.get(key) ?? [])
      if (committedAtMs + KEPT_MS > nowMs() && !this.#notInItems.has(messageId))
        violate(
          'I2',
          `the time to live deletes ${key}, and the deduplication period of '${messageId}' is not over`,
        );
    storage.embedded.delete(key);
    storage.leases.delete(key);
    return key.slice(sagaKey({ name: sagaName, id: '' }).partition.length);
  }

  /** What is left is a saga, or expires. */
  checkEnd(): void {
    const { storage, violate } = this.#options;
    for (const [key, { pending, isTombstone, expiresAt }] of storage.embedded) {
      if (pending.size > 0) violate('I3', `${key} has messages to dispatch, and nobody does`);
      if (isTombstone && expiresAt === undefined) violate('rest', `the tombstone ${key} stays for ever`);
    }
  }
}

type Operations = Parameters<SendingWatch['checkMark']>[1];

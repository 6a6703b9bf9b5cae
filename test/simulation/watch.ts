import { outboxRecordKey, type SagaIdentity, sagaKey } from '../../lib/dynamodb/keys.ts';
import type { Lease } from '../../lib/kernel/lease.ts';
import type { OutgoingOperation } from '../../lib/messages/message.ts';
import { type Commit, type MessageWrites, messagesOf } from '../../lib/outbox/commit.ts';
import type { OutboxRecord } from '../../lib/outbox/record.ts';
import { isSent } from '../../lib/outbox/sent-bitmap.ts';
import { itemOfRecords, type MemorySaga, type MemorySagaItem } from '../../lib/testing/memory/storage.ts';
import type { Tally } from '../support/tally.ts';
import { CommitVisibility } from './commit-visibility.ts';
import { EmbeddedWatch } from './embedded-watch.ts';
import type { OrderState } from './endpoints.ts';
import { LeaseWatch } from './lease-watch.ts';
import { endpointNames, type MessageScript, sagaName } from './message-script.ts';
import { differenceOfItem, differenceOfSaga, differenceOfSends } from './model-difference.ts';
import { asWrittenBy, type Change, type Changes, ObservedStorage } from './observed-storage.ts';
import type { Mode } from './scenario.ts';
import { SendingWatch } from './sending-watch.ts';
import { type AppliedStep, type ModelMessage, SequentialModel } from './sequential-model.ts';
import type { Violate } from './violation.ts';

/** A version of a saga, or its absence, from one moment on. */
interface Version {
  readonly since: number;
  readonly saga: MemorySaga | undefined;
  /** When all reads are given it: until then some may be given the version before. */
  visibleSince: number;
}

/** A saga at one moment: none, or one of the two. */
interface SagaImage {
  readonly saga?: MemorySaga | undefined;
  readonly embedded?: MemorySagaItem | undefined;
}

export interface WatchOptions {
  readonly coverage: Tally;
  readonly mode: Mode;
  /** Whether the outbox of the saga is embedded in its item. */
  readonly isEmbedded: boolean;
  readonly violate: Violate;
  /** From 0 up to 1: in what order commits become visible. */
  readonly random: () => number;
  readonly nowMs: () => number;
}

/** Checks the invariants in the storage itself, at each call that takes effect. */
export class Watch {
  readonly storage = new ObservedStorage();
  readonly model = new SequentialModel();
  readonly messages = new Map<string, ModelMessage>();
  readonly coverage: Tally;
  readonly sending: SendingWatch;
  readonly visibility: CommitVisibility;
  /** Of sagas with an embedded outbox. */
  readonly embedded: EmbeddedWatch;
  readonly #leases: LeaseWatch;
  readonly #mode: Mode;
  readonly #isEmbedded: boolean;
  readonly #violate: Violate;
  readonly #versions = new Map<string, Version[]>();
  /** By the partition. */
  readonly #images = new Map<string, readonly SagaImage[]>();
  /** By endpoint and id. */
  readonly #committed = new Set<string>();
  readonly #discarded = new Set<string>();
  /** All that sagas ever had, also those that came and went in one commit. */
  readonly #ledgers = new Set<string>();
  /** What each message of a commit sends, by endpoint and id. */
  readonly #operations = new Map<string, readonly OutgoingOperation[]>();
  readonly #random: () => number;
  #moment = 0;

  constructor({ coverage, mode, isEmbedded, violate, random, nowMs }: WatchOptions) {
    this.coverage = coverage;
    this.#mode = mode;
    this.#isEmbedded = isEmbedded;
    this.sending = new SendingWatch(coverage, violate);
    this.#leases = new LeaseWatch(coverage, violate);
    this.#violate = violate;
    this.#random = random;
    this.visibility = new CommitVisibility(this.storage, coverage);
    const { storage, sending } = this;
    this.embedded = new EmbeddedWatch({ storage, coverage, violate, sending, nowMs });
    const onShown = (key: string) => {
      const latest = this.#versions.get(sagaIdOf(key))?.at(-1);
      this.#moment += 1;
      if (latest) latest.visibleSince = this.#moment;
    };
    storage.sagas.onShown = onShown;
    storage.embedded.onShown = onShown;
  }

  get moment(): number {
    return this.#moment;
  }

  /** @param by the invocation */
  commit<T>(endpoint: string, commit: Commit, by: object | undefined, perform: () => T): T {
    // Every handler adds a write of its own.
    if (commit.transactionItems.length === 0) return this.#discard(endpoint, commit, perform);
    const write = commit.embedded ?? commit.saga;
    const key = write && sagaKey(write.saga).partition;
    const held = key === undefined ? undefined : this.storage.leases.get(key);
    const item = this.#itemAt(key);
    const messages = messagesOf(commit);
    for (const { outbox } of messages) this.sending.checkIds(endpoint, outbox);
    const { result, ...observed } = this.#observe(perform);
    const changes = asWrittenBy(commit, observed.changes);
    if (!isChange(changes)) {
      this.coverage.add('commits refused');
      if (messages.length > 1) this.coverage.add('commits of several messages refused');
      return result;
    }
    this.coverage.add('commits');
    if (messages.length > 1) this.coverage.add(`commits of ${Math.min(messages.length, 4)} messages`);
    this.#checkVersion(commit, changes, item);
    if (commit.embedded) this.embedded.checkCommit(commit, changes, item);
    else this.#noteRecords(endpoint, commit);
    this.#checkWhole(commit, changes);
    const owner = write?.leaseOwner;
    if (owner !== undefined) this.#leases.checkHeld(owner, held);
    if (write) this.coverage.add(owner === undefined ? 'commits without a lease' : 'commits under a lease');
    // Where others do not lock, the version alone keeps two from one write, and a lease ends by it.
    if (owner !== undefined || this.#mode === 'pessimistic') this.#leases.checkChanges(changes.leases, owner);
    for (const { outbox } of messages) {
      if (outbox) {
        this.#committed.add(`${endpoint} ${outbox.messageId}`);
        this.#operations.set(`${endpoint} ${outbox.messageId}`, outbox.operations);
      }
    }
    this.sending.committed(
      messages.map(({ outbox }) => outbox?.operations ?? []),
      by,
    );
    this.#checkAgainstModel(endpoint, commit, changes, item);
    this.#tookEffect(changes);
    return result;
  }

  /** Where neighbours keep items, it counts for what records alone tell, too, when a message may come again. */
  #noteRecords(endpoint: string, commit: Commit): void {
    if (!this.#isEmbedded || endpoint !== endpointNames.orders) return;
    for (const { outbox } of messagesOf(commit)) {
      if (outbox === undefined) continue;
      const { partition } = sagaKey(this.#sagaOf(endpoint, outbox.messageId));
      this.embedded.noteRecords(partition, [outbox.messageId], commit.at);
    }
  }

  /** From here on the commit becomes visible, item by item. */
  #tookEffect(changes: Changes): void {
    this.visibility.tookEffect(changes, this.#random());
    for (const { key } of [...changes.sagas, ...changes.embedded]) {
      const latest = this.#versions.get(sagaIdOf(key))?.at(-1);
      if (latest && this.visibility.isHidden(key)) latest.visibleSince = Number.POSITIVE_INFINITY;
    }
  }

  /** Of a saga in any form. */
  #itemAt(key: string | undefined): MemorySagaItem | undefined {
    if (key === undefined) return undefined;
    const saga = this.storage.sagas.get(key);
    return this.storage.embedded.get(key) ?? (saga && itemOfRecords(saga));
  }

  /** Stores only an empty record, of a message that is ignored or that the model does not wait for. */
  #discard<T>(endpoint: string, commit: Commit, perform: () => T): T {
    const { outbox, embedded: write } = commit;
    const key = write && sagaKey(write.saga).partition;
    const item = this.#itemAt(key);
    const held = key === undefined ? undefined : this.storage.leases.get(key);
    const { result, ...observed } = this.#observe(perform);
    const changes = asWrittenBy(commit, observed.changes);
    if (!isChange(changes)) {
      this.coverage.add(`discards refused: ${this.#reasonOfRefusal(endpoint, commit)}`);
      return result;
    }
    this.coverage.add('discards');
    const messageId = outbox?.messageId ?? '';
    if (write) {
      this.embedded.checkCommit(commit, changes, item);
      if (write.leaseOwner !== undefined) this.#leases.checkHeld(write.leaseOwner, held);
      this.#leases.checkChanges(changes.leases, write.leaseOwner);
    }
    if (write === undefined) this.#noteRecords(endpoint, commit);
    this.#checkEmptyRecord(messageId, changes, write !== undefined);
    const message = this.messages.get(`${endpoint} ${messageId}`);
    const isUnwanted = write ? message && this.model.waitsFor(message) : commit.saga === undefined;
    const isIgnored = isUnwanted && this.isScriptIgnored(endpoint, messageId);
    const refusal =
      message === undefined ? 'it was never sent' : this.model[isIgnored ? 'ignore' : 'discard'](message);
    if (isIgnored) this.coverage.add('messages ignored');
    if (refusal) this.#violate('kept', `'${messageId}' is discarded, but ${refusal}`);
    this.#discarded.add(`${endpoint} ${messageId}`);
    this.#tookEffect(changes);
    return result;
  }

  /** Of a message that is discarded or ignored; the item of a saga stands for it, unless that is full. */
  #checkEmptyRecord(messageId: string, { sagas, leases, items, records }: Changes, isInItem: boolean): void {
    const isMore = sagas.length + items > 0 || (!isInItem && leases.length > 0);
    if (isMore || (records.length !== 1 && !isInItem))
      this.#violate('I1', `the discard of '${messageId}' writes more than its record`);
    if (records[0]?.before) this.#violate('I2', `'${messageId}' was committed before it is discarded`);
    if (records[0]?.after?.dispatched === false || (records.length === 0 && !isInItem))
      this.#violate('I5', `the record of the discarded '${messageId}' is not dispatched`);
  }

  #reasonOfRefusal(endpoint: string, { outbox }: Commit): string {
    const key = `${endpoint} ${outbox?.messageId}`;
    if (this.#committed.has(key)) return 'the message is committed';
    return this.#discarded.has(key) ? 'the message is discarded' : 'the saga is not as it was read';
  }

  /** @param now of the caller: only what has expired by its clock may be taken over */
  lease<T>(port: string, lease: Lease, now: Date, perform: () => T): T {
    const { result, changes } = this.#observe(perform);
    this.#leases.checkChanges(
      [...changes.leases, ...changes.embedded.flatMap(leasesOfEntries)],
      lease.owner,
      port === 'acquire' || port === 'claim' ? now : undefined,
    );
    this.#checkKept(changes);
    return result;
  }

  saveProgress<T>(perform: () => T): T {
    const { result, changes } = this.#observe(perform);
    this.#checkKept(changes);
    return result;
  }

  /** What a record keeps as sent was sent, and is never forgotten before the mark. */
  #checkKept({ records, embedded }: Changes): void {
    this.embedded.checkKept(embedded, (messageId) => this.#operationsOf(messageId));
    for (const { before, after } of records) {
      if (after === undefined || after.dispatched) continue;
      this.coverage.add('progress kept');
      const { messageId, operations, sent } = after;
      this.sending.checkMark(
        messageId,
        operations.filter((_operation, index) => isSent(sent, index)),
      );
      if (operations.some((_operation, index) => isSent(before?.sent, index) && !isSent(sent, index)))
        this.#violate('kept', `the record of '${messageId}' forgets what was sent of it`);
    }
  }

  mark<T>(record: OutboxRecord, perform: () => T): T {
    const { result, changes } = this.#observe(perform);
    for (const { before } of changes.records) {
      if (before === undefined)
        this.#violate('I1', `'${record.messageId}' is marked, but was never committed`);
      if (before?.dispatched) this.coverage.add('marks repeated');
      this.sending.checkMark(record.messageId, before?.operations ?? []);
    }
    this.embedded.checkMark(changes.embedded, (messageId) => this.#operationsOf(messageId));
    return result;
  }

  /** Of a message to the saga. */
  #operationsOf(messageId: string): readonly OutgoingOperation[] {
    return this.#operations.get(`${endpointNames.orders} ${messageId}`) ?? [];
  }

  /** Whether the policy ignores each failure of a message. */
  isScriptIgnored(endpoint: string, messageId: string): boolean {
    const message = this.messages.get(`${endpoint} ${messageId}`);
    return (message?.body as MessageScript | undefined)?.failures === 'ignored';
  }

  /** What a relay finds in the items of sagas. */
  get pendingItems(): (readonly [SagaIdentity, MemorySagaItem])[] {
    return [...this.storage.embedded]
      .filter(([, { pending }]) => pending.size > 0)
      .map(([key, item]) => [{ name: sagaName, id: sagaIdOf(key) }, item] as const);
  }

  /** @returns the id of the saga whose item is gone */
  deleteExpired(choice: number): string | undefined {
    return this.#observe(() => this.embedded.deleteExpired(choice)).result;
  }

  /** Discards are commits too. */
  isCommitted({ endpoint, messageId }: { readonly endpoint: string; readonly messageId: string }): boolean {
    const key = `${endpoint} ${messageId}`;
    return this.#committed.has(key) || this.#discarded.has(key);
  }

  /** Whether all reads are given the record of a message, if there is one. */
  isVisible({ endpoint, messageId }: { readonly endpoint: string; readonly messageId: string }): boolean {
    const saga = this.#sagaOf(endpoint, messageId);
    return ![outboxRecordKey(endpoint, messageId).partition, sagaKey(saga).partition].some((key) =>
      this.#isTold(key),
    );
  }

  /** Whether what tells of a message may not be seen yet. */
  #isTold(key: string): boolean {
    return this.storage.records.isHidden(key) || this.storage.embedded.isHidden(key);
  }

  sagaIdOf(endpoint: string, messageId: string): string | undefined {
    return endpoint === endpointNames.orders ? this.#sagaOf(endpoint, messageId).id : undefined;
  }

  /** Of a message to the saga's endpoint. */
  #sagaOf(endpoint: string, messageId: string): SagaIdentity {
    const { saga: id = '' } = (this.messages.get(`${endpoint} ${messageId}`)?.body ?? {}) as {
      saga?: string;
    };
    return { name: sagaName, id };
  }

  /** Whether the deduplication period of a committed message ends: no queue delivers it any more. */
  isOver({ endpoint, messageId }: { readonly endpoint: string; readonly messageId: string }): boolean {
    return (
      endpoint === endpointNames.orders && this.embedded.isOver(this.#sagaOf(endpoint, messageId), messageId)
    );
  }

  comesAgainForMs({ endpoint, messageId }: { readonly endpoint: string; readonly messageId: string }) {
    if (endpoint !== endpointNames.orders) return undefined;
    return this.embedded.comesAgainForMs(this.#sagaOf(endpoint, messageId), messageId);
  }

  /** Whether all that a committed message sends has been sent. */
  undispatched(endpoint: string, messageId: string): string | undefined {
    if (!this.isCommitted({ endpoint, messageId })) return 'it was never committed';
    const record = this.storage.records.get(outboxRecordKey(endpoint, messageId).partition);
    if (record === undefined && this.#isEmbedded && endpoint === endpointNames.orders)
      return this.embedded.undispatched(this.#sagaOf(endpoint, messageId), messageId);
    return record?.dispatched ? undefined : 'it is not marked as dispatched';
  }

  /** What an old replica may have of a saga. @param random from 0 up to 1 */
  imageOf(partition: string, random: number): SagaImage {
    const images = this.#images.get(partition) ?? [];
    const old = this.#isEmbedded ? images : images.slice(0, -1);
    return old[Math.floor(random * old.length)] ?? {};
  }

  hasImages(partition: string): boolean {
    return (this.#images.get(partition)?.length ?? 0) > 1;
  }

  /** Replicas are behind for a moment only. */
  replicasCaughtUp(): void {
    for (const [key, images] of this.#images) this.#images.set(key, images.slice(-1));
  }

  /** Whether the saga of a message ever had a ledger, if only until the next message of its group. */
  hadLedger(message: ModelMessage, ledger: readonly string[] | undefined): boolean {
    const { saga: sagaId } = message.body as { saga: string };
    return ledger === undefined || this.#ledgers.has(ledgerKey(sagaId, ledger));
  }

  /** Whether the saga of a message had a ledger, or was not there, at some moment since another one. */
  wasLatest(message: ModelMessage, ledger: readonly string[] | undefined, from: number): boolean {
    return this.#versionsBetween(message, from, this.#moment).some(
      (saga) => (saga?.state as OrderState | undefined)?.ledger.join() === ledger?.join(),
    );
  }

  #versionsBetween({ body }: ModelMessage, from: number, to: number): (MemorySaga | undefined)[] {
    const { saga: sagaId } = body as { saga: string };
    const none: Version = { since: 0, saga: undefined, visibleSince: 0 };
    const versions = [none, ...(this.#versions.get(sagaId) ?? [])];
    const ends = versions.slice(1).map(({ visibleSince }) => visibleSince);
    return versions
      .filter(({ since }, index) => since <= to && (ends[index] ?? Number.POSITIVE_INFINITY) > from)
      .map(({ saga }) => saga);
  }

  /** What can only be told at the end: all is dispatched, and what is stored is what the model has. */
  checkEnd(): void {
    this.sending.checkEnd();
    this.embedded.checkEnd();
    const live = [...this.storage.embedded].filter(([, { saga }]) => saga).map(([key]) => key);
    const stored = [...this.storage.sagas.keys(), ...live].sort().join();
    const expected = [...this.model.sagas.keys()]
      .map((id) => sagaKey({ name: sagaName, id }).partition)
      .sort()
      .join();
    if (stored !== expected)
      this.#violate('model', `the sagas ${stored} are there, and should be ${expected}`);
    const items = this.storage.transactionItems.map((item) => item.Put?.Item?.PK?.S);
    if (new Set(items).size !== items.length || items.length !== this.#committed.size) {
      this.#violate('I2', `${items.length} writes of users for ${this.#committed.size} messages`);
    }
  }

  #observe<T>(perform: () => T) {
    this.#moment += 1;
    const observed = this.storage.observe(perform);
    const { sagas, embedded } = observed.changes;
    this.embedded.changed(embedded);
    for (const key of new Set([...sagas, ...embedded].map((change) => change.key))) {
      const image = { saga: this.storage.sagas.get(key), embedded: this.storage.embedded.get(key) };
      this.#images.set(key, [...(this.#images.get(key) ?? [{}]), image]);
      const versions = this.#versions.get(sagaIdOf(key)) ?? [];
      const saga = image.saga ?? image.embedded?.saga;
      versions.push({ since: this.#moment, saga, visibleSince: this.#moment });
      this.#versions.set(sagaIdOf(key), versions);
    }
    return observed;
  }

  #checkWhole(commit: Commit, { sagas, records, items }: Changes): void {
    const messages = messagesOf(commit);
    const isSagaWritten = commit.saga !== undefined && commit.saga.kind !== 'check';
    const isWhole =
      records.length === messages.filter(({ outbox }) => !outbox?.sagaItem).length &&
      sagas.length === (isSagaWritten ? 1 : 0) &&
      items === messages.length &&
      messages.every(({ transactionItems }) => transactionItems.length === 1);
    if (isWhole) return;
    const found = `${sagas.length} sagas, ${records.length} records, ${items} writes of the user`;
    this.#violate('I1', `a commit is not whole: ${found}`);
  }

  #checkVersion(
    { saga: write, outbox }: Commit,
    { records }: Changes,
    latest: MemorySagaItem | undefined,
  ): void {
    for (const { before } of records)
      if (before) this.#violate('I2', `'${before.messageId}' was committed before`);
    if (write === undefined) return;
    const read = write.read?.commitId;
    if (latest?.revision.commitId !== read) {
      const found = latest?.revision.commitId ?? 'none';
      this.#violate(
        'I4',
        `'${outbox?.messageId}' commits from ${read ?? 'no version'}, the latest is ${found}`,
      );
    }
    this.coverage.add(`commits that ${write.kind} a saga`);
  }

  #checkAgainstModel(
    endpoint: string,
    commit: Commit,
    { sagas, embedded }: Changes,
    found: MemorySagaItem | undefined,
  ): void {
    const steps: AppliedStep[] = [];
    for (const message of messagesOf(commit)) {
      const step = this.#handleInModel(endpoint, message, (commit.saga ?? commit.embedded) === undefined);
      if (step) steps.push(step);
    }
    const difference = commit.embedded
      ? differenceOfItem(steps, embedded[0], commit.at)
      : differenceOfSaga(steps, sagas[0], commit.at, found);
    if (difference) this.#violate('model', `'${commit.outbox?.messageId}': ${difference}`);
  }

  #handleInModel(
    endpoint: string,
    { outbox, transactionItems }: MessageWrites,
    isUnchecked: boolean,
  ): AppliedStep | undefined {
    if (outbox === undefined) return undefined;
    const message = this.messages.get(`${endpoint} ${outbox.messageId}`);
    if (message === undefined) {
      this.#violate('model', `'${outbox.messageId}' was never sent`);
      return undefined;
    }
    const { saga: sagaId } = message.body as { saga: string };
    if (message.type === 'Look' && !this.model.sagas.has(sagaId))
      this.coverage.add('looks behind the end of their saga');
    const ids = outbox.operations.map(({ id }) => id);
    const step = this.model.handle(message, ids, isUnchecked);
    this.#ledgers.add(ledgerKey(sagaId, step.saga?.ledger));
    const item = transactionItems[0]?.Put?.Item?.PK?.S;
    const difference =
      step.refusal ??
      (item === `${endpoint} ${message.id}` ? undefined : `the user's write is of '${item}'`) ??
      differenceOfSends(step, outbox.operations);
    if (difference) this.#violate('model', `${message.type} '${message.id}': ${difference}`);
    return step;
  }
}

const sagaKeyLength = sagaKey({ name: sagaName, id: '' }).partition.length;

/** What became of leases that are in entries of items. */
function leasesOfEntries({ key, before, after }: Changes['embedded'][number]): Change<Lease>[] {
  return [...(before?.pending ?? [])].flatMap(([entry, { lease }]) => {
    const left = after?.pending.get(entry)?.lease;
    return left === lease ? [] : [{ key: `${key} ${entry}`, before: lease, after: left }];
  });
}

/** @param key the partition of its item */
export function sagaIdOf(key: string): string {
  return key.slice(sagaKeyLength);
}

function ledgerKey(sagaId: string, ledger: readonly string[] | undefined): string {
  return `${sagaId}: ${ledger?.join()}`;
}

function isChange({ sagas, embedded, records, leases, items }: Changes): boolean {
  return sagas.length + embedded.length + records.length + leases.length + items > 0;
}

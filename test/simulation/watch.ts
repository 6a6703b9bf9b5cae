import type { Commit, OutboxRecord } from '../../lib/core/commit.ts';
import { outboxRecordKey, sagaKey } from '../../lib/core/keys.ts';
import type { Lease } from '../../lib/core/lease.ts';
import { isCancellation, type OutgoingMessage } from '../../lib/core/message.ts';
import type { MemorySaga } from '../../lib/memory/storage.ts';
import type { Coverage } from './coverage.ts';
import { sagaName } from './message-script.ts';
import { differenceOf } from './model-difference.ts';
import { type Changes, ObservedStorage } from './observed-storage.ts';
import { type ModelMessage, SequentialModel } from './sequential-model.ts';
import type { Invariant } from './violation.ts';

/** A version of a saga, or its absence, from one moment on. */
interface Version {
  readonly since: number;
  readonly saga: MemorySaga | undefined;
}

/** Checks the invariants at each call that takes effect, in the storage itself, whatever the code under test believes. */
export class Watch {
  readonly storage = new ObservedStorage();
  readonly model = new SequentialModel();
  readonly messages = new Map<string, ModelMessage>();
  readonly coverage: Coverage;
  readonly #violate: (invariant: Invariant, text: string) => void;
  readonly #versions = new Map<string, Version[]>();
  /** The contents of committed messages, by their ids, and the ids of those that are to be taken back. */
  readonly #contents = new Map<string, string>();
  readonly #cancelled = new Set<string>();
  readonly #dispatched = new Set<string>();
  readonly #idsByPlace = new Map<string, string>();
  readonly #ownerNumbers = new Map<string, number>();
  #moment = 0;

  constructor(coverage: Coverage, violate: (invariant: Invariant, text: string) => void) {
    this.coverage = coverage;
    this.#violate = violate;
  }

  /** Counts the calls that took effect. */
  get moment(): number {
    return this.#moment;
  }

  commit<T>(endpoint: string, commit: Commit, perform: () => T): T {
    const key = commit.saga && sagaKey(commit.saga.saga).partition;
    const held = key === undefined ? undefined : this.storage.leases.get(key);
    const latest = key === undefined ? undefined : this.storage.sagas.get(key);
    this.#checkIds(endpoint, commit);
    const { result, changes } = this.#observe(perform);
    if (!isChange(changes)) {
      this.coverage.add('commits refused');
      return result;
    }
    this.coverage.add('commits');
    this.#checkVersion(commit, changes, latest);
    this.#checkWhole(commit, changes);
    const owner = commit.saga?.leaseOwner;
    if (owner !== undefined && held?.owner !== owner) {
      this.#violate(
        'lease',
        `a commit by ${this.#named(owner)} was taken, but the lease is held by ${this.#named(held?.owner)}`,
      );
    }
    this.#checkLeases(changes, owner);
    this.#remember(commit);
    this.#checkAgainstModel(endpoint, commit, changes);
    return result;
  }

  /** @param now of the caller: only what has expired by its clock may be taken over */
  lease<T>(port: string, lease: Lease, now: Date, perform: () => T): T {
    const { result, changes } = this.#observe(perform);
    this.#checkLeases(changes, lease.owner, port === 'acquire' || port === 'claim' ? now : undefined);
    return result;
  }

  mark<T>(record: OutboxRecord, perform: () => T): T {
    const { result, changes } = this.#observe(perform);
    for (const { before } of changes.records) {
      if (before === undefined)
        this.#violate('I1', `'${record.messageId}' is marked, but was never committed`);
      if (before?.dispatched) this.coverage.add('marks repeated');
      const missing = before?.operations.filter((operation) => !this.#isDispatched(operation)) ?? [];
      if (missing.length > 0) {
        this.#violate(
          'I5',
          `'${record.messageId}' is marked before it is dispatched: ${idsOf(missing)} missing`,
        );
      }
    }
    return result;
  }

  /** A queue or a schedule takes a message. */
  sent(message: OutgoingMessage): void {
    const committed = this.#contents.get(message.id);
    const isRepeated = this.#dispatched.has(message.id);
    if (committed === undefined) {
      this.#violate('I3', `'${message.type}' with id '${message.id}' is sent, which nobody committed`);
    } else if (committed !== contentOf(message)) {
      this.#violate(
        'I3',
        `'${message.type}' with id '${message.id}' is sent with another content than committed`,
      );
    }
    this.coverage.add(isRepeated ? 'messages sent again' : 'messages sent');
    this.#dispatched.add(message.id);
  }

  unscheduled(messageId: string): void {
    if (!this.#cancelled.has(messageId))
      this.#violate('I3', `the timeout '${messageId}' is taken back by nobody`);
    this.#dispatched.add(cancelling(messageId));
  }

  /** Whether all that a committed message sends has been sent. */
  undispatched(endpoint: string, messageId: string): string | undefined {
    const record = this.storage.records.get(outboxRecordKey(endpoint, messageId).partition);
    if (record === undefined) return 'it was never committed';
    return record.dispatched ? undefined : 'it is not marked as dispatched';
  }

  /** A version of a saga before the latest one, as an old replica has it. @param random from 0 up to 1 */
  previousVersion(sagaId: string, random: number): MemorySaga | undefined {
    const versions = this.#versions.get(sagaId) ?? [];
    return versions[Math.floor(random * versions.length) - 1]?.saga;
  }

  hasPreviousVersion(sagaId: string): boolean {
    return this.#versions.has(sagaId);
  }

  /** Whether nobody waited for a message at some moment of a stretch of them. */
  wasUnawaited({ id, body, isTimeout }: ModelMessage, from: number, to: number): boolean {
    const { saga: sagaId } = body as { saga: string };
    const versions = [{ since: 0, saga: undefined }, ...(this.#versions.get(sagaId) ?? [])];
    return versions.some(({ since, saga }, index) => {
      const end = versions[index + 1]?.since ?? Number.POSITIVE_INFINITY;
      const isAwaited =
        saga !== undefined && (!isTimeout || saga.timeouts.some((timeout) => timeout.id === id));
      return !isAwaited && since <= to && end > from;
    });
  }

  /** What can only be told at the end: all is dispatched, and what is stored is what the model has. */
  checkEnd(): void {
    for (const [id] of this.#contents) {
      if (!this.#dispatched.has(id) && !this.#cancelled.has(id))
        this.#violate('I3', `'${id}' was never sent`);
    }
    for (const id of this.#cancelled) {
      if (!this.#dispatched.has(cancelling(id)))
        this.#violate('I3', `the timeout '${id}' was never taken back`);
    }
    const stored = [...this.storage.sagas.keys()].sort().join();
    const expected = [...this.model.sagas.keys()]
      .map((id) => sagaKey({ name: sagaName, id }).partition)
      .sort()
      .join();
    if (stored !== expected)
      this.#violate('model', `the sagas ${stored} are there, and should be ${expected}`);
    const items = this.storage.transactionItems.map((item) => item.Put?.Item?.PK?.S);
    if (new Set(items).size !== items.length || items.length !== this.storage.records.size) {
      this.#violate('I2', `${items.length} writes of users for ${this.storage.records.size} messages`);
    }
  }

  #observe<T>(perform: () => T) {
    this.#moment += 1;
    const observed = this.storage.observe(perform);
    for (const { key, after } of observed.changes.sagas) {
      const sagaId = key.slice(sagaKey({ name: sagaName, id: '' }).partition.length);
      this.#versions.set(sagaId, [
        ...(this.#versions.get(sagaId) ?? []),
        { since: this.#moment, saga: after },
      ]);
    }
    return observed;
  }

  #checkWhole(commit: Commit, { sagas, records, items }: Changes): void {
    const isWhole =
      records.length === 1 &&
      sagas.length === (commit.saga ? 1 : 0) &&
      items === commit.transactionItems.length &&
      items === 1;
    if (isWhole) return;
    const found = `${sagas.length} sagas, ${records.length} records, ${items} writes of the user`;
    this.#violate('I1', `a commit is not whole: ${found}`);
  }

  #checkVersion(
    { saga: write, outbox }: Commit,
    { records: [record] }: Changes,
    latest: MemorySaga | undefined,
  ): void {
    if (record?.before) this.#violate('I2', `'${outbox?.messageId}' was committed before`);
    if (write === undefined) return;
    const read = write.kind === 'create' ? undefined : write.read.commitId;
    if (latest?.revision.commitId !== read) {
      const found = latest?.revision.commitId ?? 'none';
      this.#violate(
        'I4',
        `'${outbox?.messageId}' commits from ${read ?? 'no version'}, the latest is ${found}`,
      );
    }
    this.coverage.add(`commits that ${write.kind} a saga`);
  }

  /** @param now when others may be taken over */
  #checkLeases({ leases }: Changes, owner: string | undefined, now?: Date): void {
    for (const { before, after } of leases) {
      if (before === undefined || before.owner === owner) continue;
      const isExpired = now !== undefined && before.until < now;
      if (isExpired) this.coverage.add('leases taken over');
      else
        this.#violate(
          'lease',
          `the lease of ${this.#named(before.owner)} ends by ${this.#named(after?.owner ?? owner)}`,
        );
    }
  }

  /** One message sends the same ids each time, also by an attempt that does not commit. */
  #checkIds(endpoint: string, { outbox }: Commit): void {
    for (const [index, { id }] of outbox?.operations.entries() ?? []) {
      const place = `${endpoint} ${outbox?.messageId} ${index}`;
      const known = this.#idsByPlace.get(place) ?? id;
      if (known !== id) this.#violate('I3', `'${outbox?.messageId}' sends message ${index} with another id`);
      this.#idsByPlace.set(place, known);
    }
  }

  #remember({ outbox }: Commit): void {
    for (const operation of outbox?.operations ?? []) {
      if (isCancellation(operation)) this.#cancelled.add(operation.cancels);
      else this.#contents.set(operation.id, contentOf(operation));
    }
  }

  #checkAgainstModel(endpoint: string, { outbox, transactionItems }: Commit, { sagas }: Changes): void {
    if (outbox === undefined) return;
    const message = this.messages.get(`${endpoint} ${outbox.messageId}`);
    if (message === undefined) {
      this.#violate('model', `'${outbox.messageId}' was never sent`);
      return;
    }
    const ids = outbox.operations.map(({ id }) => id);
    const step = this.model.handle(message, ids);
    const item = transactionItems[0]?.Put?.Item?.PK?.S;
    const difference =
      step.refusal ??
      (item === `${endpoint} ${message.id}` ? undefined : `the user's write is of '${item}'`) ??
      differenceOf(step, outbox.operations, sagas[0]);
    if (difference) this.#violate('model', `${message.type} '${message.id}': ${difference}`);
  }

  /** Owners are other random ids in each run. */
  #named(owner: string | undefined): string {
    if (owner === undefined) return 'nobody';
    const number = this.#ownerNumbers.get(owner) ?? this.#ownerNumbers.size + 1;
    this.#ownerNumbers.set(owner, number);
    return `owner ${number}`;
  }

  #isDispatched(operation: OutboxRecord['operations'][number]): boolean {
    return this.#dispatched.has(isCancellation(operation) ? cancelling(operation.cancels) : operation.id);
  }
}

function isChange({ sagas, records, leases, items }: Changes): boolean {
  return sagas.length + records.length + leases.length + items > 0;
}

function contentOf({ destination, type, body, headers }: OutgoingMessage): string {
  return JSON.stringify([destination, type, body, headers]);
}

function cancelling(messageId: string): string {
  return `cancel ${messageId}`;
}

function idsOf(operations: readonly { readonly id: string }[]): string {
  return operations.map(({ id }) => `'${id}'`).join(', ');
}

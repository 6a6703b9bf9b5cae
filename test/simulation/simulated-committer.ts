import type { CapacityMeter } from '../../lib/dynamodb/capacity-meter.ts';
import { outboxRecordKey, sagaKey } from '../../lib/dynamodb/keys.ts';
import { CommitMerger, type CommitPart } from '../../lib/outbox/commit/commit-merger.ts';
import type { Committer } from '../../lib/outbox/commit/committer.ts';
import { type Commit, messagesOf } from '../../lib/outbox/commit.ts';
import { MemoryCommitter } from '../../lib/testing/memory/committer.ts';
import type { Instance } from './instance.ts';
import type { Invocation } from './invocation.ts';
import { endpointNames } from './message-script.ts';
import { databaseRefusal } from './simulated-refusal.ts';
import type { World } from './world.ts';

export interface SimulatedPart extends CommitPart {
  readonly commit: Commit;
  readonly endpoint: string;
  readonly meter: CapacityMeter;
  readonly committer: MemoryCommitter;
  /** Its call may take effect in a later one. */
  readonly invocation: Invocation | undefined;
}

/** What was to be written together is not, because of one part of it. */
class TransactionRefused extends Error {}

/** The committer of an endpoint; commits of the instance may share a call. */
export function simulatedCommitter(instance: Instance, endpoint: string): Committer {
  const { watch } = instance.world;
  const committer = new MemoryCommitter({ storage: watch.storage, endpoint });
  return {
    snapshot: (write) => committer.snapshot(write),
    readSnapshot: (kept) => committer.readSnapshot(kept),
    commit: async (commit, meter, terms) => {
      const { invocation } = instance;
      if (endpoint === endpointNames.orders) invocation?.committing(commit);
      assertInTime(instance, commit);
      // Users' writes have keys of their own here, so that commits with them, which are nearly all, share calls too.
      const itemIds = itemIdsOf(commit, endpoint);
      await instance.merger.commit({
        commit,
        endpoint,
        meter,
        committer,
        invocation,
        itemIds,
        bytes: 0,
        terms,
      });
    },
  };
}

/** A step of the history says how long commits are gathered. */
export function simulatedMerger(instance: Instance): CommitMerger<SimulatedPart> {
  const unanswered = new WeakSet<Commit>();
  return new CommitMerger<SimulatedPart>({
    waitFor: () => instance.call({ port: 'gather', about: () => 'commits', perform: async () => {} }),
    transact: async (parts) => {
      for (const { commit } of parts) {
        const id = commit.outbox?.messageId;
        if (unanswered.has(commit))
          instance.world.violate('I2', `the commit of '${id}' is sent again, though it may have been done`);
      }
      await transact(instance, parts, unanswered);
    },
    isRefusal: (error) => error instanceof TransactionRefused,
  });
}

async function transact(
  instance: Instance,
  parts: readonly SimulatedPart[],
  unanswered: WeakSet<Commit>,
): Promise<void> {
  const { world } = instance;
  for (const { commit } of parts) unanswered.add(commit);
  const answered = instance.call({
    port: 'commit',
    about: () => parts.map(described).join(', '),
    perform: async () => {
      try {
        if (parts.length > 1) assertAllHold(world, parts);
        for (const part of parts) await write(world, part);
      } catch (error) {
        // That is an answer: nothing is done.
        for (const { commit } of parts) unanswered.delete(commit);
        throw error;
      }
    },
    refusal: databaseRefusal,
    meter: parts[0]?.meter,
  });
  await answered.catch((error: unknown) => {
    const isUnanswered = parts.length > 1 && parts.some(({ commit }) => unanswered.has(commit));
    if (isUnanswered) world.coverage.add('shared commits without an answer', parts.length);
    throw error;
  });
  for (const { commit, endpoint } of parts) {
    if (commit.embedded) world.watch.visibility.answered(sagaKey(commit.embedded.saga).partition);
    for (const { outbox } of messagesOf(commit))
      if (outbox) world.watch.visibility.answered(outboxRecordKey(endpoint, outbox.messageId).partition);
  }
}

/** As the service: all conditions hold, and each item is there once, or nothing is written. */
function assertAllHold(world: World, parts: readonly SimulatedPart[]): void {
  const { coverage } = world;
  const ids = parts.flatMap(({ itemIds = [] }) => itemIds);
  if (new Set(ids).size < ids.length)
    world.violate('kept', 'a transaction has two writes of one item, which the service refuses');
  try {
    for (const { committer, commit } of parts) committer.check(commit);
  } catch (cause) {
    coverage.add('shared commits refused', parts.length);
    throw new TransactionRefused('a condition of the transaction does not hold', { cause });
  }
  coverage.add('shared commits', parts.length);
}

async function write(world: World, part: SimulatedPart): Promise<void> {
  const { commit, endpoint, committer, invocation } = part;
  const messageId = commit.outbox?.messageId ?? '';
  const isIgnored =
    commit.saga === undefined &&
    commit.transactionItems.length === 0 &&
    (commit.embedded === undefined || world.watch.isScriptIgnored(endpoint, messageId));
  try {
    await world.watch.commit(endpoint, commit, invocation, () => committer.commit(commit));
  } catch (error) {
    // A policy may not ignore what is committed, and not write an item that others write: its next delivery may.
    if (isIgnored) invocation?.disturbances.failure(messageId, false);
    throw error;
  }
  for (const { outbox } of messagesOf(commit)) if (outbox) world.checkOrder(endpoint, outbox.messageId);
  if (commit.saga && commit.saga.kind !== 'check') world.sagaWritten(commit.saga.saga.id, invocation);
  // A neighbour that keeps an item finds it in the record.
  const byRecord = world.scenario.embedded && !commit.embedded;
  const saga = byRecord ? world.watch.sagaIdOf(endpoint, messageId) : undefined;
  if (saga !== undefined) world.sagaWritten(saga, isIgnored ? undefined : invocation);
  // One that is ignored does not wait for its turn among those of its saga.
  if (commit.embedded) world.sagaWritten(commit.embedded.saga.id, isIgnored ? undefined : invocation);
}

function itemIdsOf(commit: Commit, endpoint: string): string[] {
  const write = commit.embedded ?? commit.saga;
  const saga = write ? [sagaKey(write.saga).partition] : [];
  const messages = messagesOf(commit).flatMap(({ outbox, transactionItems }) => [
    ...(outbox && !outbox.sagaItem ? [outboxRecordKey(endpoint, outbox.messageId).partition] : []),
    ...transactionItems.map((item) => JSON.stringify(item.Put?.Item?.PK)),
  ]);
  return [...saga, ...messages];
}

function described({ commit }: SimulatedPart): string {
  const ids = messagesOf(commit).map(({ outbox }) => outbox?.messageId);
  return `of ${ids.join(' and ')} (saga: ${commit.saga?.kind ?? stateOf(commit) ?? 'none'})`;
}

function stateOf({ embedded }: Commit): string | undefined {
  const { state } = embedded ?? {};
  return typeof state === 'object' ? state.kind : state === 'none' ? 'tombstone' : state;
}

/** A group ends at half of its lease, so that its commit comes before the end of the lease. */
function assertInTime({ world, clock }: Instance, { following, saga: write, embedded }: Commit): void {
  const saga = embedded ?? write;
  if (following === undefined || saga?.leaseOwner === undefined || world.scenario.renews) return;
  const held = world.watch.storage.leases.get(sagaKey(saga.saga).partition);
  const isOver = held?.owner === saga.leaseOwner && held.until < clock.now();
  if (isOver) world.violate('lease', `a group is committed after its lease on '${saga.saga.id}' has ended`);
}

import type { Mode } from './scenario.ts';
import type { Invariant } from './violation.ts';

/** A fault put into a source of the package: a piece of its text, which is there exactly once, becomes another one. */
export interface Mutation {
  readonly name: string;
  readonly file: string;
  readonly piece: string;
  readonly becomes: string;
  /** Which invariants the simulation may see broken first. */
  readonly breaks: readonly Invariant[];
  /** @default all */
  readonly modes?: readonly Mode[];
}

const optimistic: readonly Mode[] = ['optimistic', 'eventual'];
const pessimistic: readonly Mode[] = ['pessimistic'];

export const mutations: readonly Mutation[] = [
  {
    name: 'the version condition of the saga write is removed',
    file: 'lib/memory/committer.ts',
    piece: "isSame(sagas.get(key)?.revision, write.kind === 'create' ? undefined : write.read)",
    becomes: 'true',
    breaks: ['I4'],
  },
  {
    name: 'the version condition knows no commit id',
    file: 'lib/memory/committer.ts',
    piece: 'one?.version === other?.version && one?.commitId === other?.commitId',
    becomes: 'one?.version === other?.version',
    breaks: ['I4'],
    modes: ['eventual'],
  },
  {
    name: 'the owner condition of the commit is removed',
    file: 'lib/memory/committer.ts',
    piece: 'write.leaseOwner === undefined || leases.get(key)?.owner === write.leaseOwner',
    becomes: 'true',
    breaks: ['lease'],
  },
  {
    name: 'the owner condition of the release is removed',
    file: 'lib/memory/saga-locks.ts',
    piece: 'if (this.#storage.leases.get(key)?.owner === lease.owner) this.#storage.leases.delete(key);',
    becomes: 'this.#storage.leases.delete(key);',
    breaks: ['lease'],
  },
  {
    name: 'the owner condition of the renewal is removed',
    file: 'lib/memory/saga-locks.ts',
    piece: 'if (this.#storage.leases.get(key)?.owner !== lease.owner) return false;',
    becomes: '',
    breaks: ['lease'],
    modes: pessimistic,
  },
  {
    name: 'a lease is taken over before it expires',
    file: 'lib/memory/saga-locks.ts',
    piece: 'held.until >= this.#clock.now()',
    becomes: 'false',
    breaks: ['lease'],
  },
  {
    name: 'the commit does not tell the owner of its lease',
    file: 'lib/core/saga-state.ts',
    piece: 'leaseOwner: this.#lease?.owner',
    becomes: 'leaseOwner: undefined',
    breaks: ['lease'],
  },
  {
    name: "the outbox record's condition is removed",
    file: 'lib/memory/committer.ts',
    piece: 'if (commit.outbox) this.#assertNew(commit.outbox);',
    becomes: '',
    breaks: ['I2'],
  },
  {
    name: 'a release after a failure is not awaited',
    file: 'lib/flow/abandon.ts',
    piece: 'await handling?.lease?.release();',
    becomes: 'void handling?.lease?.release();',
    breaks: ['I6'],
    modes: pessimistic,
  },
  {
    name: 'a release after a commit is not awaited',
    file: 'lib/flow/complete.ts',
    piece: 'if (!commit.saga) await lease?.release();',
    becomes: 'if (!commit.saga) void lease?.release();',
    breaks: ['I6'],
    modes: pessimistic,
  },
  {
    name: 'a release after a discarded message is not awaited',
    file: 'lib/flow/begin.ts',
    piece: 'await lease?.release();',
    becomes: 'void lease?.release();',
    breaks: ['I6'],
    modes: pessimistic,
  },
  {
    name: 'a renewal under way is not awaited',
    file: 'lib/flow/held-lease.ts',
    piece: 'await this.#renewing;',
    becomes: '',
    breaks: ['I6'],
    modes: pessimistic,
  },
  {
    name: 'the mark comes before the dispatch',
    file: 'lib/flow/dispatch-and-mark.ts',
    piece:
      'await dispatcher.dispatch(record.operations);\n  await outbox.markDispatched(record, clock.now(), meter);',
    becomes:
      'await outbox.markDispatched(record, clock.now(), meter);\n  await dispatcher.dispatch(record.operations);',
    breaks: ['I5'],
  },
  {
    name: 'the recovery marks before it dispatches',
    file: 'lib/flow/recover.ts',
    piece:
      'await dispatcher.dispatch(record.operations);\n    await outbox.markDispatched(record, clock.now(), meter);',
    becomes:
      'await outbox.markDispatched(record, clock.now(), meter);\n    await dispatcher.dispatch(record.operations);',
    breaks: ['I5'],
  },
  {
    name: 'the dispatch comes before the commit',
    file: 'lib/flow/complete.ts',
    piece: 'if (!isEmpty(commit)) await flow.ports.committer.commit(commit, meter);',
    becomes:
      'await flow.ports.dispatcher.dispatch(operations);\n  if (!isEmpty(commit)) await flow.ports.committer.commit(commit, meter);',
    breaks: ['I3'],
  },
  {
    name: 'a dispatch that fails is taken for done',
    file: 'lib/flow/dispatch-and-mark.ts',
    piece: 'await dispatcher.dispatch(record.operations);',
    becomes: 'await dispatcher.dispatch(record.operations).catch(() => {});',
    breaks: ['I5'],
  },
  {
    name: 'a mark that fails is taken for done',
    file: 'lib/flow/dispatch-and-mark.ts',
    piece: 'await outbox.markDispatched(record, clock.now(), meter);',
    becomes: 'await outbox.markDispatched(record, clock.now(), meter).catch(() => {});',
    breaks: ['I5'],
  },
  {
    name: 'a failed message is acknowledged',
    file: 'lib/flow/settle-record.ts',
    piece: 'return { retryInSeconds, ...(isLastDelivery(failure) && { leavesQueue: true }) };',
    becomes: "return 'acknowledged';",
    breaks: ['I5'],
  },
  {
    name: 'a forward that fails is taken for done',
    file: 'lib/flow/settle-record.ts',
    piece: 'observer.forwardFailed(failure, forwardError);\n    return false;',
    becomes: 'observer.forwardFailed(failure, forwardError);\n    return true;',
    breaks: ['I5'],
  },
  {
    name: 'outgoing ids are random',
    file: 'lib/core/message-id.ts',
    piece: 'JSON.stringify([incomingId, endpoint, ordinal])',
    becomes: 'JSON.stringify([incomingId, endpoint, ordinal, Math.random()])',
    breaks: ['I3'],
  },
  {
    name: "the user's writes are left out of the commit",
    file: 'lib/memory/committer.ts',
    piece: 'storage.transactionItems.push(...commit.transactionItems);',
    becomes: '',
    breaks: ['I1'],
  },
  {
    name: 'a refused commit leaves its record behind',
    file: 'lib/memory/committer.ts',
    piece: 'if (commit.outbox) this.#assertNew(commit.outbox);',
    becomes:
      'if (commit.outbox) { this.#assertNew(commit.outbox); this.#options.storage.records.set(this.#recordKey(commit.outbox), commit.outbox); }',
    breaks: ['I1'],
  },
  {
    name: 'a handler that was given up commits all the same',
    file: 'lib/flow/delivery.ts',
    piece: 'committing(): void {\n    this.#assertGoing();',
    becomes: 'committing(): void {',
    breaks: ['I6', 'lease'],
  },
  {
    name: 'the changes of visibility are not awaited',
    file: 'lib/middleware/sqs-batch.ts',
    piece: 'await recovery.delayReturned(returned, time);',
    becomes: 'void recovery.delayReturned(returned, time);',
    breaks: ['I6'],
  },
  {
    name: 'two recoveries take one record',
    file: 'lib/memory/undispatched-records.ts',
    piece: 'held.until >= now && !isLeft',
    becomes: 'false',
    breaks: ['lease'],
  },
  {
    name: 'a message is discarded without a second dedup check',
    file: 'lib/flow/begin.ts',
    piece: 'if (since) return await finish(attempt, since, identity);',
    becomes: '',
    breaks: ['I5', 'kept'],
  },
  {
    name: 'a message is discarded by what an old replica says',
    file: 'lib/flow/open-saga.ts',
    piece: "return starts ? 'none' : 'absence';",
    becomes: "return 'none';",
    breaks: ['kept'],
    modes: optimistic,
  },
  {
    name: 'a timeout is handled that nobody waits for',
    file: 'lib/flow/timeouts.ts',
    piece: 'return stored?.timeouts.some(({ id }) => id === message.id) ?? false;',
    becomes: 'return stored !== undefined;',
    breaks: ['model'],
  },
  {
    name: 'the timeouts of a saga that ends are not taken back',
    file: 'lib/flow/complete.ts',
    piece: 'if (draft?.isCompleted) work.cancelTimeouts();',
    becomes: '',
    breaks: ['model'],
  },
  {
    name: 'a handler gets the initial state in place of the stored one',
    file: 'lib/core/saga-state.ts',
    piece: 'const readState = stored === undefined ? initialState : () => stored.readState();',
    becomes: 'const readState = initialState;',
    breaks: ['model'],
  },
];

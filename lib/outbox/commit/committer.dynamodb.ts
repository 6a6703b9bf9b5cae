import { randomUUID } from 'node:crypto';
import type { DynamoDBClient, Put } from '@aws-sdk/client-dynamodb';
import { putItem, updateItem } from '../../dynamodb/calls/conditional-write.ts';
import type { CapacityMeter } from '../../dynamodb/capacity-meter.ts';
import { InFlight } from '../../kernel/calls/in-flight.ts';
import { isOfCommit } from '../../saga/item/commit-ids.ts';
import { keptWrite, stateAttributes, storedState } from '../../saga/item/read-saga-item.dynamodb.ts';
import type { SagaStateWrite, SagaWrite, StoredSaga } from '../../saga/saga-state.ts';
import { assertWriteCount, type Commit, isPlainWrite, messagesOf } from '../commit.ts';
import { conditionError } from './commit-errors.dynamodb.ts';
import type { CommitMerger } from './commit-merger.ts';
import type { CommitTerms, Committer } from './committer.ts';
import {
  itemIdsOf,
  type PlannedWrite,
  planWrites,
  type SingleWrite,
  type WriteTargets,
} from './planned-write.dynamodb.ts';
import { newTransactionMerger, type TransactionPart } from './transaction.dynamodb.ts';
import { assertWithinLimits } from './transaction-limits.dynamodb.ts';

export interface DynamoDBCommitterOptions extends WriteTargets {
  client: DynamoDBClient;
  endpoint: string;
  /** Returns a UUID, another one for each commit. */
  newCommitId?: () => string;
  /** Counts the commits that are followed by a dispatch. */
  commits?: InFlight;
  /** The merger of all committers whose commits may share a transaction. */
  merger?: CommitMerger<TransactionPart>;
}

export class DynamoDBCommitter implements Committer {
  readonly #options: DynamoDBCommitterOptions;
  readonly #commits: InFlight;
  readonly #merger: CommitMerger<TransactionPart>;

  constructor(options: DynamoDBCommitterOptions) {
    this.#options = options;
    this.#commits = options.commits ?? new InFlight();
    this.#merger = options.merger ?? newTransactionMerger(options.client);
  }

  snapshot(write: SagaWrite): SagaWrite {
    return keptWrite(this.#options.mapper, write);
  }

  readSnapshot(kept: SagaStateWrite): Pick<StoredSaga, 'readState' | 'isSame'> {
    const { mapper } = this.#options;
    return storedState(stateAttributes(mapper, kept), kept.saga, mapper);
  }

  async commit(commit: Commit, meter: CapacityMeter, terms?: CommitTerms): Promise<void> {
    const { endpoint } = this.#options;
    const commitId = (this.#options.newCommitId ?? randomUUID)();
    const writes = planWrites(commit, this.#options, commitId);
    assertWriteCount(commit, this.#options.customSagas && countOf(writes, 'customSaga'));
    const bytes = assertWithinLimits(writes);

    const [first] = writes;
    if (first === undefined) return;
    // A user's item may not tell whether a write that is sent again was made before.
    const isPlain = first.role !== 'user' && isPlainWrite(writes.length, first.item);
    const writing = isPlain
      ? this.#writeOne(first, { commitId, meter, bytes, terms })
      : this.#merger.commit({
          writes,
          commitId,
          endpoint,
          payers: [meter, ...(commit.following ?? []).map((message) => message.meter)],
          itemIds: itemIdsOf(writes, this.#options),
          bytes,
          terms,
        });
    const sends = messagesOf(commit).some(({ outbox }) => outbox?.dispatched === false);
    await (sends ? this.#commits.during(writing) : writing);
  }

  /**
   * Writes one item without a transaction. When the SDK sends the write again, the item that is there tells that
   * the first one succeeded.
   */
  async #writeOne(write: PlannedWrite, one: SingleWrite): Promise<void> {
    const { client, endpoint } = this.#options;
    const { commitId, meter } = one;
    if (write.role === 'embedded' && one.terms?.isFirstAttempt) {
      const outcome = await write.writeInBatch(one);
      if (outcome === 'written') return;
      if (outcome === 'refused') throw conditionError(write, endpoint, undefined);
      one.terms.assertOngoing();
    }
    const { Put, Update } = write.item;
    const { refusal } = Update
      ? await updateItem(client, Update, meter)
      : await putItem(client, Put as Put, meter);
    // The SDK may send a write twice, after the answer to the first one got lost: the stored write is ours.
    if (refusal === undefined || isOfCommit(refusal.Item ?? {}, commitId)) return;
    throw conditionError(write, endpoint, refusal);
  }
}

function countOf(writes: readonly PlannedWrite[], role: PlannedWrite['role']): number {
  return writes.filter((write) => write.role === role).length;
}

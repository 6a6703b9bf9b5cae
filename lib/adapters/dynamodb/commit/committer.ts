import { randomUUID } from 'node:crypto';
import { type DynamoDBClient, type Put, PutItemCommand } from '@aws-sdk/client-dynamodb';
import { assertWriteCount, type Commit, messagesOf } from '../../../core/outbox/commit.ts';
import type { SagaStateWrite, SagaWrite, StoredSaga } from '../../../core/saga/saga-state.ts';
import type { CapacityMeter } from '../../../core/storage/capacity-meter.ts';
import type { CommitTerms, Committer } from '../../../ports.ts';
import type { CommitMerger } from '../../shared/commit-merger.ts';
import { InFlight } from '../../shared/in-flight.ts';
import { conditionalWrite, returnedValues } from '../calls/conditional-write.ts';
import { keptWrite, stateAttributes, storedState } from '../saga/saga-item.ts';
import { conditionError } from './commit-errors.ts';
import { itemIdsOf, type PlannedWrite, planWrites, type WriteTargets } from './planned-write.ts';
import { newTransactionMerger, type TransactionPart } from './transaction.ts';
import { assertWithinLimits } from './transaction-limits.ts';

export interface DynamoDBCommitterOptions extends WriteTargets {
  client: DynamoDBClient;
  endpoint: string;
  /** Up to 36 characters, another one for each commit. */
  newCommitId?: () => string;
  /** Told of the commits that messages are sent after. */
  commits?: InFlight;
  /** Shared by all whose commits may share a transaction. */
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

  keep(write: SagaWrite): SagaWrite {
    return keptWrite(this.#options.mapper, write);
  }

  readKept(kept: SagaStateWrite): Pick<StoredSaga, 'readState' | 'isSame'> {
    const { mapper } = this.#options;
    return storedState(stateAttributes(mapper, kept), kept.saga, mapper);
  }

  async commit(commit: Commit, meter: CapacityMeter, terms?: CommitTerms): Promise<void> {
    const { endpoint } = this.#options;
    const commitId = (this.#options.newCommitId ?? randomUUID)();
    assertWriteCount(commit);
    const writes = planWrites(commit, this.#options, commitId);
    const bytes = assertWithinLimits(writes);

    const [first] = writes;
    if (first === undefined) return;
    const put = writes.length === 1 && first.role !== 'user' ? first.item.Put : undefined;
    const writing = put
      ? this.#putOne(first, put, commitId, meter)
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
    await (sends ? this.#commits.during(() => writing) : writing);
  }

  /**
   * Half the price of a transaction. When the SDK sends it again, what is there then tells that the first was
   * done. A saga that is gone tells nothing, and a user's write may not: those keep the transaction, whose
   * token makes the second harmless.
   */
  async #putOne(write: PlannedWrite, put: Put, commitId: string, meter: CapacityMeter): Promise<void> {
    const { client, endpoint } = this.#options;
    const command = new PutItemCommand({ ...put, ...returnedValues });
    const { refusal } = await conditionalWrite('PutItem', put.TableName, meter, () => client.send(command));
    // The SDK may send it twice, after the answer to the first one got lost: the write that is there is ours.
    if (refusal === undefined || refusal.Item?.commitId?.S === commitId) return;
    throw conditionError(write, endpoint, refusal);
  }
}

import type { CapacityMeter } from '../../dynamodb/capacity-meter.ts';
import type { MessageSpan } from '../../observe/tracing/message-span.ts';
import type { SagaStateWrite, SagaWrite, StoredSaga } from '../../saga/saga-state.ts';
import type { Commit } from '../commit.ts';

export interface Committer {
  /**
   * A write whose state is what it is now: what happens to it later does not reach the commit.
   *
   * @throws SagaboxError `UnsupportedState`
   */
  snapshot(write: SagaWrite): SagaWrite;
  /** What a message that is committed together with a kept write, behind it, reads of its saga. */
  readSnapshot(kept: SagaStateWrite): Pick<StoredSaga, 'readState' | 'isSame'>;
  /**
   * Writes all of a commit, or nothing.
   *
   * @throws SagaboxError `SagaConcurrency` when the saga is not at the version that was read,
   *   `DuplicateMessage` when the message has an outbox record already, `TransactionConditionFailed` when a
   *   write of the user's own is refused.
   */
  commit(commit: Commit, meter: CapacityMeter, terms?: CommitTerms): Promise<void>;
}

/** What a committer knows of a commit that may share a call with others; without it, it shares none. */
export interface CommitTerms {
  /** Whether no attempt at the message was made before, in any delivery. */
  readonly isFirstAttempt: boolean;
  /** Of the message, or of the first one. @default - none */
  readonly span?: MessageSpan | undefined;
  /** @throws Error once the message was returned: no call may be started for it then */
  assertOngoing(): void;
  /**
   * `merged`: it was written together with others. `refused`, told to one of them: what was to be written
   * together was refused, and each is written alone.
   *
   * @param together of all commits that were written together
   */
  onMerge?(outcome: MergeOutcome, together?: readonly CommitTerms[]): void;
}

export type MergeOutcome = 'merged' | 'refused';

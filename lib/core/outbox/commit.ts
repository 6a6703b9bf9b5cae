import type { TransactWriteItem } from '@aws-sdk/client-dynamodb';
import type { EmbeddedWrite } from '../embedded/embedded-write.ts';
import { SagaboxError } from '../failures/errors.ts';
import { limits } from '../limits.ts';
import type { Contribution, FoldedContribution } from '../saga/contribution.ts';
import type { SagaCheck, SagaWrite } from '../saga/saga-state.ts';
import type { CapacityMeter } from '../storage/capacity-meter.ts';
import type { OutboxWrite } from './record.ts';

/** The changes of one message beside its saga. */
export interface MessageWrites {
  readonly outbox: OutboxWrite | undefined;
  readonly transactionItems: readonly TransactWriteItem[];
  /** @default - none */
  readonly appended?: readonly Contribution[] | undefined;
  /** The contributions that are deleted with the saga's write. @default - none */
  readonly folded?: readonly FoldedContribution[] | undefined;
}

/** The changes of a message that is committed behind the first one, and pays for a part of the commit. */
export interface FollowingWrites extends MessageWrites {
  readonly meter: CapacityMeter;
}

/** All changes of one message, or of several of one saga: they are written together or not at all. */
export interface Commit extends MessageWrites {
  readonly saga: SagaWrite | SagaCheck | undefined;
  /** The write of a saga with an embedded outbox, in place of `saga`. @default - none */
  readonly embedded?: EmbeddedWrite | undefined;
  readonly at: Date;
  /** The messages that were handled behind the first one, in their order. @default - none */
  readonly following?: readonly FollowingWrites[];
}

/** Returns the changes of each message of the commit, in the order in which they were handled. */
export function messagesOf(commit: Commit): readonly MessageWrites[] {
  return commit.following === undefined ? [commit] : [commit, ...commit.following];
}

export function isEmpty(commit: Commit): boolean {
  const { saga, embedded, outbox, transactionItems, appended = [] } = commit;
  const isOfOthers = saga !== undefined || embedded !== undefined || outbox !== undefined;
  return !isOfOthers && transactionItems.length === 0 && appended.length === 0;
}

/**
 * @param storeWrites how many writes a user's store makes of the saga @default - sagabox writes one
 * @throws SagaboxError `TransactionLimit` for more writes than one transaction takes.
 */
export function assertWriteCount(commit: Commit, storeWrites?: number): void {
  const writesSaga = commit.saga !== undefined || commit.embedded !== undefined;
  let ownWrites = writesSaga && storeWrites === undefined ? 1 : 0;
  let usersWrites = storeWrites ?? 0;
  let folds = false;
  for (const { outbox, transactionItems, appended = [], folded = [] } of messagesOf(commit)) {
    ownWrites += outbox === undefined || outbox.holder ? 0 : 1 + outbox.chunkCount;
    ownWrites += folded.length;
    folds ||= folded.length > 0;
    usersWrites += transactionItems.length + appended.length;
  }
  const actual = ownWrites + usersWrites;
  if (actual <= limits.transactionItems) return;
  const whose = storeWrites === undefined ? 'the handler' : 'the handler and its sagaStore';
  const remedy =
    'add fewer items to the transaction, or split the work over several messages' +
    (folds ? '; collect fewer values at once (atMost)' : '') +
    (storeWrites === undefined ? '' : '; set coalesce: false for a saga of many writes');
  throw new SagaboxError('TransactionLimit', {
    limit: `writes (${usersWrites} added by ${whose}, ${ownWrites} by sagabox)`,
    actual,
    maximum: limits.transactionItems,
    remedy,
  });
}

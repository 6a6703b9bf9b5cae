import type { TransactWriteItem } from '@aws-sdk/client-dynamodb';
import type { CapacityMeter } from '../dynamodb/capacity-meter.ts';
import { SagaboxError } from '../kernel/errors/errors.ts';
import { limits } from '../kernel/limits.ts';
import type { CollectedContribution, Contribution } from '../saga/contribution.ts';
import type { SagaCheck, SagaWrite } from '../saga/saga-state.ts';
import type { EmbeddedWrite } from './embedded/embedded-write.ts';
import type { OutboxWrite } from './record.ts';

/** The changes of one message beside its saga. */
export interface MessageWrites {
  readonly outbox: OutboxWrite | undefined;
  readonly transactionItems: readonly TransactWriteItem[];
  /** @default - none */
  readonly appended?: readonly Contribution[] | undefined;
  /** The contributions that are deleted with the saga's write. @default - none */
  readonly collected?: readonly CollectedContribution[] | undefined;
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
export function messagesOf(commit: Commit): readonly MessageWrites[];
export function messagesOf(commit: CountedCommit): readonly CountedWrites[];
export function messagesOf(commit: CountedCommit): readonly CountedWrites[] {
  return commit.following === undefined ? [commit] : [commit, ...commit.following];
}

export function isEmpty(commit: Commit): boolean {
  const { saga, embedded, outbox, transactionItems, appended = [] } = commit;
  const isOfOthers = saga !== undefined || embedded !== undefined || outbox !== undefined;
  return !isOfOthers && transactionItems.length === 0 && appended.length === 0;
}

/**
 * Whether writes of sagabox are one plain write, at half the price of a transaction. A put or an update that the SDK
 * sends again is told by the item that is there. That of an ended saga is gone: its delete keeps the transaction,
 * whose token makes the second request harmless.
 */
export function isPlainWrite(
  count: number,
  { Put, Update }: { readonly Put?: unknown; readonly Update?: unknown },
): boolean {
  return count === 1 && Boolean(Put || Update);
}

/** The writes of a message, as far as their number depends on them. */
interface CountedWrites {
  readonly outbox: Pick<OutboxWrite, 'sagaItem' | 'chunkCount'> | undefined;
  readonly transactionItems: readonly unknown[];
  readonly appended?: readonly unknown[] | undefined;
  readonly collected?: readonly unknown[] | undefined;
}

interface CountedCommit extends CountedWrites {
  readonly saga: unknown;
  readonly embedded?: unknown;
  readonly following?: readonly CountedWrites[];
}

/**
 * @param storeWrites how many writes a user's store makes of the saga @default - sagabox writes one
 * @throws SagaboxError `TransactionLimit` for more writes than one transaction takes.
 */
export function assertWriteCount(commit: CountedCommit, storeWrites?: number): void {
  const writesSaga = commit.saga !== undefined || commit.embedded !== undefined;
  let ownWrites = writesSaga && storeWrites === undefined ? 1 : 0;
  let usersWrites = storeWrites ?? 0;
  let collects = false;
  for (const { outbox, transactionItems, appended = [], collected = [] } of messagesOf(commit)) {
    ownWrites += outbox === undefined || outbox.sagaItem ? 0 : 1 + outbox.chunkCount;
    ownWrites += collected.length;
    collects ||= collected.length > 0;
    usersWrites += transactionItems.length + appended.length;
  }
  const actual = ownWrites + usersWrites;
  if (actual <= limits.transactionItems) return;
  const whose = storeWrites === undefined ? 'the handler' : 'the handler and its sagaStore';
  const remedy =
    'add fewer items to the transaction, or split the work over several messages' +
    (collects ? '; collect fewer values at once (atMost)' : '') +
    (storeWrites === undefined ? '' : '; set coalesce: false for a saga of many writes');
  throw new SagaboxError('TransactionLimit', {
    limit: `writes (${usersWrites} added by ${whose}, ${ownWrites} by sagabox)`,
    actual,
    maximum: limits.transactionItems,
    remedy,
  });
}

/** @throws SagaboxError `TransactionLimit` for more bytes than one transaction takes. */
export function assertTransactionBytes(bytes: number): void {
  if (bytes <= limits.transactionBytes) return;
  throw new SagaboxError('TransactionLimit', {
    limit: 'bytes',
    actual: bytes,
    maximum: limits.transactionBytes,
    remedy: 'send or append less from one handler, or keep large data elsewhere',
  });
}

import type { TransactWriteItem } from '@aws-sdk/client-dynamodb';
import { SagaboxError } from './errors.ts';
import { limits } from './limits.ts';
import type { OutgoingMessage } from './message.ts';
import { chunksOf, pack } from './packing.ts';
import type { SagaWrite } from './saga-state.ts';

/** What deduplication knows of a message that was committed before. */
export interface OutboxRecord {
  readonly messageId: string;
  readonly dispatched: boolean;
  /** Empty once dispatched. */
  readonly operations: readonly OutgoingMessage[];
  /** Items besides the record that hold operations. */
  readonly chunkCount: number;
}

/** A record to be stored, with its operations as they are stored. */
export interface OutboxWrite extends OutboxRecord {
  /** In the record itself; nothing when they are in chunks, or there are none. */
  readonly packed: Uint8Array | undefined;
  readonly chunks: readonly Uint8Array[];
}

/** Everything that one message changes: it is written together or not at all. */
export interface Commit {
  readonly saga: SagaWrite | undefined;
  readonly outbox: OutboxWrite | undefined;
  readonly transactionItems: readonly TransactWriteItem[];
  readonly at: Date;
}

/** A record with nothing to send is as good as dispatched. */
export function outboxWrite(messageId: string, operations: readonly OutgoingMessage[]): OutboxWrite {
  const dispatched = operations.length === 0;
  const packed = dispatched ? undefined : pack(operations);
  const chunks = packed === undefined ? [] : chunksOf(packed);
  return {
    messageId,
    dispatched,
    operations,
    packed: chunks.length === 0 ? packed : undefined,
    chunks,
    chunkCount: chunks.length,
  };
}

export function isEmpty(commit: Commit): boolean {
  return commit.saga === undefined && commit.outbox === undefined && commit.transactionItems.length === 0;
}

/** @throws SagaboxError `TransactionLimit` for more writes than one transaction takes. */
export function assertWriteCount({ saga, outbox, transactionItems }: Commit): void {
  const ownWrites = (saga === undefined ? 0 : 1) + (outbox === undefined ? 0 : 1 + outbox.chunkCount);
  const actual = ownWrites + transactionItems.length;
  if (actual <= limits.transactionItems) return;
  throw new SagaboxError('TransactionLimit', {
    limit: `writes (${transactionItems.length} added by the handler, ${ownWrites} by sagabox)`,
    actual,
    maximum: limits.transactionItems,
    remedy: 'add fewer items to the transaction, or split the work over several messages',
  });
}

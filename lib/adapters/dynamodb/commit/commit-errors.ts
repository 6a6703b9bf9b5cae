import type { CancellationReason, TransactionCanceledException } from '@aws-sdk/client-dynamodb';
import { SagaboxError } from '../../../core/failures/errors.ts';
import { isThrottling } from '../calls/service-errors.ts';
import type { PlannedWrite } from './planned-write.ts';
import { describeWrite } from './transaction-limits.ts';

/**
 * Why a transaction was cancelled, as one error. The reasons stand in the order of the writes; a duplicate
 * goes before all others: whatever else failed was then already done by the message's other delivery. Source:
 * "TransactionCanceledException" under "TransactWriteItems" in the Amazon DynamoDB API Reference.
 */
export function cancellationError(
  error: TransactionCanceledException,
  writes: readonly PlannedWrite[],
  endpoint: string,
): unknown {
  const failures = (error.CancellationReasons ?? []).flatMap((reason, index) => {
    const write = writes[index];
    return write === undefined || reason.Code === undefined || reason.Code === 'None'
      ? []
      : [{ write, reason }];
  });
  const failure = failures.find(({ write, reason }) => isDuplicate(write, reason)) ?? failures[0];
  if (failure === undefined) return error;
  return writeError(failure.write, failure.reason, endpoint, error);
}

/** What it means that the condition of a write did not hold. */
export function conditionError(write: PlannedWrite, endpoint: string, cause: unknown): SagaboxError {
  switch (write.role) {
    case 'saga': {
      const { kind: operation, saga } = write.saga;
      return new SagaboxError(
        'SagaConcurrency',
        { sagaName: saga.name, sagaId: saga.id, operation },
        { cause },
      );
    }
    case 'outbox':
      return new SagaboxError('DuplicateMessage', { endpoint, messageId: write.messageId }, { cause });
    case 'chunk':
      return new SagaboxError('RequestRejected', { detail: describeWrite(write) }, { cause });
    case 'user': {
      const { Put, Update, Delete, ConditionCheck } = write.item;
      const tableName = (Put ?? Update ?? Delete ?? ConditionCheck)?.TableName ?? '';
      return new SagaboxError('TransactionConditionFailed', { index: write.index, tableName }, { cause });
    }
  }
}

function isDuplicate(write: PlannedWrite, reason: CancellationReason): boolean {
  return write.role === 'outbox' && reason.Code === 'ConditionalCheckFailed';
}

function writeError(
  write: PlannedWrite,
  reason: CancellationReason,
  endpoint: string,
  cause: unknown,
): SagaboxError {
  const item = describeWrite(write);
  const code = reason.Code ?? 'unknown';
  if (code === 'ConditionalCheckFailed') return conditionError(write, endpoint, cause);
  if (code === 'TransactionConflict') return new SagaboxError('TransactionConflict', { item }, { cause });
  if (isThrottling(code)) {
    return new SagaboxError('Throttled', { operation: 'TransactWriteItems', reason: code }, { cause });
  }
  if (code === 'ItemCollectionSizeLimitExceeded') {
    const detail = `${item}: its item collection is over the 10 GB that a local secondary index allows`;
    return new SagaboxError('RequestRejected', { detail }, { cause });
  }
  return new SagaboxError(
    'RequestRejected',
    { detail: `${item}: ${code}, ${reason.Message ?? 'no message'}` },
    { cause },
  );
}

import type { TransactionCanceledException } from '@aws-sdk/client-dynamodb';
import { isThrottling } from '../../dynamodb/calls/service-errors.ts';
import { SagaboxError } from '../../kernel/errors/errors.ts';
import { keyedPart, type PlannedWrite } from './planned-write.dynamodb.ts';
import { describeWrite } from './transaction-limits.dynamodb.ts';

/**
 * Returns one error for a cancelled transaction. The reasons stand in the order of the writes. A duplicate
 * goes before all others: whatever else failed was then already done by the message's other delivery. Source:
 * "TransactionCanceledException" under "TransactWriteItems" in the Amazon DynamoDB API Reference.
 */
export function cancellationError(
  error: TransactionCanceledException,
  writes: readonly PlannedWrite[],
  endpoint: string,
): unknown {
  const reasons = error.CancellationReasons ?? [];
  const failures = reasons.flatMap(({ Code: code = 'None', Message: message = 'no message' }, index) => {
    const write = writes[index];
    return write === undefined || code === 'None' ? [] : [{ write, code, message }];
  });
  const failure = failures.find(isDuplicate) ?? failures[0];
  return failure === undefined ? error : writeError(failure, endpoint, error);
}

/** Returns the error of a write whose condition did not hold. */
export function conditionError(write: PlannedWrite, endpoint: string, cause: unknown): SagaboxError {
  switch (write.role) {
    case 'saga':
    case 'customSaga':
    case 'embedded': {
      const { kind: operation, saga } = write.saga;
      const facts = { sagaName: saga.name, sagaId: saga.id, operation };
      return new SagaboxError('SagaConcurrency', facts, { cause });
    }
    case 'outbox':
      return new SagaboxError('DuplicateMessage', { endpoint, messageId: write.messageId }, { cause });
    case 'contribution': {
      // Another handler has collected the contribution since it was read.
      const { name: sagaName, id: sagaId } = write.saga;
      return new SagaboxError('SagaConcurrency', { sagaName, sagaId, operation: 'update' }, { cause });
    }
    case 'chunk':
      return new SagaboxError('RequestRejected', { detail: describeWrite(write) }, { cause });
    case 'user': {
      const tableName = keyedPart(write.item)?.TableName ?? '';
      return new SagaboxError('TransactionConditionFailed', { index: write.index, tableName }, { cause });
    }
  }
}

/** A write that cancelled its transaction. */
interface FailedWrite {
  readonly write: PlannedWrite;
  readonly code: string;
  readonly message: string;
}

function isDuplicate({ write, code }: FailedWrite): boolean {
  return write.role === 'outbox' && code === 'ConditionalCheckFailed';
}

function writeError({ write, code, message }: FailedWrite, endpoint: string, cause: unknown): SagaboxError {
  const item = describeWrite(write);
  if (code === 'ConditionalCheckFailed') return conditionError(write, endpoint, cause);
  if (code === 'TransactionConflict') return new SagaboxError('TransactionConflict', { item }, { cause });
  if (isThrottling(code)) {
    return new SagaboxError('Throttled', { operation: 'TransactWriteItems', reason: code }, { cause });
  }
  if (code === 'ItemCollectionSizeLimitExceeded') {
    const detail = `${item}: its item collection is over the 10 GB that a local secondary index allows`;
    return new SagaboxError('RequestRejected', { detail }, { cause });
  }
  return new SagaboxError('RequestRejected', { detail: `${item}: ${code}, ${message}` }, { cause });
}

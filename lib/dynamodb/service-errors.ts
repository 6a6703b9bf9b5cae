import { isSagaboxError, SagaboxError } from '../core/errors.ts';
import { isError } from '../core/thrown.ts';

/** What DynamoDB and the SDK call a request that may succeed a moment later. Source: "Error handling with DynamoDB". */
const throttlingErrors = new Set([
  'ProvisionedThroughputExceededException',
  'RequestLimitExceeded',
  'ThrottlingException',
  'ThrottlingError',
  'InternalServerError',
  'ServiceUnavailable',
  'TransactionInProgressException',
  'ProvisionedThroughputExceeded',
]);

/** What no retry helps. */
const refusals = new Set([
  'ValidationException',
  'IdempotentParameterMismatchException',
  'ItemCollectionSizeLimitExceededException',
]);

export function isThrottling(reason: string | undefined): boolean {
  return reason !== undefined && throttlingErrors.has(reason);
}

/** Whether a failed call may succeed a moment later, whatever it was about. */
export function isThrottled(error: unknown): boolean {
  return isSagaboxError(error) && error.code === 'Throttled';
}

/** Our own error for what DynamoDB says of a call as a whole; anything unknown stays what it is. */
export function translateServiceError(
  error: unknown,
  operation: string,
  tableNames: readonly string[],
): unknown {
  if (!isError(error)) return error;
  const options = { cause: error };
  if (error.name === 'ResourceNotFoundException') {
    return new SagaboxError('TableNotFound', { tableNames: [...new Set(tableNames)] }, options);
  }
  if (isThrottling(error.name)) {
    return new SagaboxError('Throttled', { operation, reason: error.name }, options);
  }
  if (error.name === 'TransactionConflictException') {
    return new SagaboxError('TransactionConflict', { item: `an item of ${tableNames.join(', ')}` }, options);
  }
  if (refusals.has(error.name)) {
    return new SagaboxError('RequestRejected', { detail: error.message }, options);
  }
  return error;
}

/** Runs one call and throws what it throws as an error of ours. */
export async function callDynamoDB<T>(
  operation: string,
  tableNames: readonly string[],
  call: () => Promise<T>,
): Promise<T> {
  try {
    return await call();
  } catch (error) {
    throw translateServiceError(error, operation, tableNames);
  }
}

import { isSagaboxError, SagaboxError } from '../../kernel/errors/errors.ts';
import { gaveNoAnswer } from '../../kernel/errors/no-answer.ts';
import { isError } from '../../kernel/errors/thrown.ts';

/**
 * The names of errors, of DynamoDB and the SDK, after which a retry may succeed. Source: "Error handling with
 * DynamoDB".
 */
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

/** The names of errors that no retry resolves. */
const refusals = new Set([
  'ValidationException',
  'SerializationException',
  'IdempotentParameterMismatchException',
  'ItemCollectionSizeLimitExceededException',
]);

/**
 * The names of errors that no retry resolves while the function's role, its credentials or the table's key
 * stay as they are. Source: "Common Error Types".
 */
const accessErrors =
  /^(AccessDenied|CredentialsProvider|ExpiredToken|InvalidSignature|MissingAuthentication|UnrecognizedClient)/;

export function isThrottling(reason: string | undefined): boolean {
  return reason !== undefined && throttlingErrors.has(reason);
}

/** Whether a call failed for a cause outside of its requests, so that each of them would fail alike. */
export function isServiceWideError(error: unknown): boolean {
  return isSagaboxError(error) && (error.code === 'Throttled' || error.code === 'TableCallFailed');
}

/** Translates the error of a call into an error of sagabox; an unknown error stays as it is. */
export function translateServiceError(
  error: unknown,
  operation: string,
  tableNames: readonly string[],
): unknown {
  if (!isError(error)) return error;
  const options = { cause: error };
  const tables = [...new Set(tableNames)];
  const detail = `${error.name}: ${error.message}`;
  if (error.name === 'ResourceNotFoundException') {
    return new SagaboxError('TableNotFound', { tableNames: tables }, options);
  }
  if (accessErrors.test(error.name)) {
    return new SagaboxError('TableAccessRefused', { operation, tableNames: tables, detail }, options);
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
  if (gaveNoAnswer(error)) {
    return new SagaboxError('TableCallFailed', { operation, tableNames: tables, detail }, options);
  }
  return error;
}

/** Returns the output of one call. @throws the call's error, translated by {@link translateServiceError} */
export async function callDynamoDB<T>(
  operation: string,
  tableNames: readonly string[],
  call: Promise<T>,
): Promise<T> {
  try {
    return await call;
  } catch (error) {
    throw translateServiceError(error, operation, tableNames);
  }
}

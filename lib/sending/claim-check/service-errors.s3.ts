import { SagaboxError } from '../../kernel/errors/errors.ts';
import { claimCheckNotFound } from './claim-check.ts';

/**
 * The names of errors that no retry resolves: the bucket is another one, or elsewhere. Source: "Error
 * responses" in the Amazon S3 API Reference.
 */
const bucketErrors = new Set(['NoSuchBucket', 'PermanentRedirect', 'InvalidBucketName']);

const permissionErrors = new Set(['AccessDenied', 'InvalidAccessKeyId', 'AccountProblem']);

/**
 * The names of errors of a missing object: S3 answers AccessDenied to a role that may not list the bucket.
 */
const missingObjectErrors = new Set([
  ...permissionErrors,
  'NoSuchKey',
  'NotFound',
  // An empty object has no first byte.
  'InvalidRange',
  // The object was archived by another lifecycle rule than ours.
  'InvalidObjectState',
]);

export function storeFailure(error: unknown, bucketName: string): SagaboxError {
  const { name, message } = error as Error;
  if (!bucketErrors.has(name) && !permissionErrors.has(name)) return unanswered('PutObject', error);
  const facts = {
    setting: `claim check bucket '${bucketName}'`,
    problem: `it takes no bodies (${name}: ${message})`,
    remedy: 'Correct its name, region and account, or the permissions of the function',
  };
  return new SagaboxError('Configuration', facts, { cause: error });
}

export function loadFailure(error: unknown, messageId: string, key: string): SagaboxError {
  const { name, message } = error as Error;
  const isGone = missingObjectErrors.has(name) || bucketErrors.has(name);
  return isGone
    ? claimCheckNotFound(messageId, key, `${name}: ${message}`, error)
    : unanswered('GetObject', error);
}

function unanswered(operation: string, error: unknown): SagaboxError {
  const { name, message } = error as Error;
  return new SagaboxError('ClaimCheckFailed', { operation, detail: `${name}: ${message}` }, { cause: error });
}

import type { InvocationOutcome } from './function-instance.ts';

/**
 * The messages of a batch that Lambda would take as acknowledged.
 *
 * With ReportBatchItemFailures: an empty or null answer, or a missing, null or empty list, acknowledges all;
 * a list of known message ids all but those; anything else (a malformed answer, an id that is empty or not of
 * this batch) acknowledges none. Source: "Using Lambda with Amazon SQS", success and failure conditions of
 * partial batch responses.
 *
 * @returns the acknowledged message ids.
 */
export function acknowledgedMessageIds(
  outcome: InvocationOutcome,
  messageIds: readonly string[],
  reportsBatchItemFailures: boolean,
): readonly string[] {
  if (outcome.kind !== 'result') return [];
  if (!reportsBatchItemFailures) return messageIds;
  const failed = failedMessageIds(outcome.result);
  if (failed === undefined || failed.some((id) => !messageIds.includes(id as string))) return [];
  return messageIds.filter((id) => !failed.includes(id));
}

/** What the answer names as ids, or undefined when it is malformed. */
function failedMessageIds(result: unknown): unknown[] | undefined {
  if (result === null || result === undefined || result === '') return [];
  if (typeof result !== 'object') return undefined;
  const failures = (result as { batchItemFailures?: unknown }).batchItemFailures ?? [];
  return Array.isArray(failures) ? failures.map((failure) => failure?.itemIdentifier) : undefined;
}

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
  if (failed === undefined || failed.some((id) => !messageIds.includes(id))) return [];
  return messageIds.filter((id) => !failed.includes(id));
}

/** The ids that the answer names, or undefined when it is malformed. */
function failedMessageIds(result: unknown): string[] | undefined {
  if (result === null || result === undefined || result === '') return [];
  if (typeof result !== 'object') return undefined;
  const failures = (result as { batchItemFailures?: unknown }).batchItemFailures;
  if (failures === null || failures === undefined) return [];
  if (!Array.isArray(failures)) return undefined;
  const ids = failures.map(
    (failure: unknown) => (failure as { itemIdentifier?: unknown } | null)?.itemIdentifier,
  );
  return ids.every((id) => typeof id === 'string' && id !== '') ? (ids as string[]) : undefined;
}

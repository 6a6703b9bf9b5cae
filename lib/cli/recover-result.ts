import type { OutboxRecord } from '../core/commit.ts';
import { isCancellation, type OutgoingOperation } from '../core/message.ts';
import type { RecoveryFailure, RecoveryResult } from '../flow/recovery-result.ts';

/** A record that would be dispatched. */
export interface WaitingRecord {
  readonly messageId: string;
  readonly storedAt: string;
  readonly operations: number;
  /** Where its messages go. */
  readonly destinations: readonly string[];
}

/** What a dry run came upon. */
export interface DryRunResult {
  readonly waiting: WaitingRecord[];
  /** Records that cannot be read. */
  readonly failed: RecoveryFailure[];
  complete: boolean;
  searchError: unknown;
}

export function waitingRecord({ messageId, storedAt, operations }: OutboxRecord): WaitingRecord {
  const destinations = [...new Set(operations.map(destinationOf))].sort();
  return { messageId, storedAt: storedAt.toISOString(), operations: operations.length, destinations };
}

/** The result as one JSON object, or as lines that end with a summary. */
export function linesOf(result: RecoveryResult | DryRunResult, endpoint: string, json: boolean): string[] {
  const problem = problemOf(result);
  if (json) {
    const { searchError: _searchError, ...others } = result;
    return [JSON.stringify({ endpoint, dryRun: 'waiting' in result, ...others, problem })];
  }
  const waiting = 'waiting' in result ? result.waiting : [];
  return [
    ...waiting.map(
      ({ messageId, storedAt, operations, destinations }) =>
        `${messageId}  ${storedAt}  ${operations} -> ${destinations.join(', ')}`,
    ),
    ...result.failed.map(({ messageId, message }) => `${messageId}: ${message}`),
    summaryOf(result),
    ...(problem === undefined ? [] : [problem]),
  ];
}

/** The counts, as they are so far. */
export function summaryOf(result: RecoveryResult | DryRunResult): string {
  const { failed } = result;
  if ('waiting' in result) return `${result.waiting.length} to dispatch, ${failed.length} unreadable`;
  const { dispatched, held, settled } = result;
  return `${dispatched} dispatched, ${held} held by another run, ${settled} settled meanwhile, ${failed.length} failed`;
}

/** Why the run did not look at all records. */
export function problemOf({ complete, searchError }: RecoveryResult | DryRunResult): string | undefined {
  if (searchError !== undefined) {
    const { name, message } = searchError instanceof Error ? searchError : new Error(String(searchError));
    return `The search ended early: ${name}: ${message}`;
  }
  return complete ? undefined : 'Interrupted: there may be more records';
}

function destinationOf(operation: OutgoingOperation): string {
  return isCancellation(operation) ? '(cancels a schedule)' : operation.destination;
}

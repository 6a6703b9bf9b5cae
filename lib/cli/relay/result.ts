import { isCancellation, type OutgoingOperation } from '../../core/incoming/message.ts';
import type { OutboxRecord } from '../../core/outbox/commit.ts';
import type { RelayFailure, RelayResult } from '../../flow/relay/relay-result.ts';

/** A record that would be dispatched. */
export type WaitingRecord = ReturnType<typeof waitingRecord>;

/** The result of a dry run. */
export interface DryRunResult extends Pick<RelayResult, 'complete' | 'capacity' | 'searchError'> {
  readonly waiting: readonly WaitingRecord[];
  /** Records that cannot be read. */
  readonly failed: readonly RelayFailure[];
}

export function waitingRecord({ messageId, storedAt, operations, lease }: OutboxRecord, now: Date) {
  const reason: 'held' | 'postponed' = lease?.postponed ? 'postponed' : 'held';
  return {
    messageId,
    storedAt: storedAt.toISOString(),
    operations: operations.length,
    destinations: [...new Set(operations.map(destinationOf))].sort(),
    // Until another run holds it, or until the scheduled relay retries it.
    ...(lease && lease.until >= now && { leased: { until: lease.until.toISOString(), reason } }),
  };
}

export function linesOf(result: RelayResult | DryRunResult): string[] {
  const problem = problemOf(result);
  const waiting = 'waiting' in result ? result.waiting : [];
  return [
    ...waiting.map(lineOf),
    ...result.failed.map(({ messageId, message }) => `${messageId}: ${message}`),
    summaryOf(result),
    ...(problem === undefined ? [] : [problem]),
  ];
}

/** For `--json`: counts by their names, and what failed in `failures`, as `sagabox redrive` has them. */
export function objectOf(result: RelayResult | DryRunResult, endpoint: string): object {
  const { complete, capacity, failed } = result;
  const isDry = 'waiting' in result;
  return {
    endpoint,
    dryRun: isDry,
    ...(isDry ? waitingCounts(result) : runCounts(result)),
    failed: failed.length,
    complete,
    capacity,
    ...(isDry && { records: result.waiting }),
    failures: failed.map(({ messageId, code, message }) => ({ messageId, code, problem: message })),
    problem: problemOf(result),
  };
}

/** The counts so far. */
export function summaryOf(result: RelayResult | DryRunResult): string {
  const failed = result.failed.length;
  if ('waiting' in result) {
    const { waiting, held } = waitingCounts(result);
    return `${waiting} to dispatch, ${held} held by another run, ${failed} unreadable`;
  }
  const { dispatched, held, settled } = result;
  return `${dispatched} dispatched, ${held} held by another run, ${settled} settled meanwhile, ${failed} failed`;
}

/** Why the run did not look at all records. */
export function problemOf({ complete, searchError: error }: RelayResult | DryRunResult): string | undefined {
  if (error !== undefined)
    return `The search ended early: ${error instanceof Error ? `${error.name}: ${error.message}` : error}`;
  return complete ? undefined : 'Interrupted: there may be more records';
}

function waitingCounts({ waiting }: DryRunResult) {
  const held = waiting.filter(({ leased }) => leased?.reason === 'held').length;
  return { waiting: waiting.length - held, held };
}

function runCounts({ found, dispatched, held, postponed, settled }: RelayResult) {
  return { found, dispatched, held, postponed, settled };
}

function lineOf({ messageId, storedAt, operations, destinations, leased }: WaitingRecord): string {
  const state = leased?.reason === 'held' ? 'held by another run' : 'postponed';
  const note = leased ? `  (${state} until ${leased.until})` : '';
  return `${messageId}  ${storedAt}  ${operations} -> ${destinations.join(', ')}${note}`;
}

function destinationOf(operation: OutgoingOperation): string {
  return isCancellation(operation) ? '(cancels a schedule)' : operation.destination;
}

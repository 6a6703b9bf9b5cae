import { isCancellation, type OutgoingOperation } from '../../core/incoming/message.ts';
import type { OutboxRecord } from '../../core/outbox/commit.ts';
import type { CapacityUnits } from '../../core/storage/capacity-meter.ts';
import type { RelayFailure, RelayResult } from '../../flow/relay/relay-result.ts';

/** A record that would be dispatched. */
export interface WaitingRecord {
  readonly messageId: string;
  readonly storedAt: string;
  readonly operations: number;
  /** Where its messages go. */
  readonly destinations: readonly string[];
  /** Until another run holds it, or until the scheduled relay retries it. */
  readonly leased?: { readonly until: string; readonly reason: 'held' | 'postponed' };
}

/** What a dry run came upon. */
export interface DryRunResult {
  readonly waiting: WaitingRecord[];
  /** Records that cannot be read. */
  readonly failed: RelayFailure[];
  complete: boolean;
  searchError: unknown;
  /** What DynamoDB reported for the calls of this run. */
  readonly capacity: CapacityUnits;
}

export function waitingRecord(record: OutboxRecord, now: Date): WaitingRecord {
  const { messageId, storedAt, operations, lease } = record;
  return {
    messageId,
    storedAt: storedAt.toISOString(),
    operations: operations.length,
    destinations: [...new Set(operations.map(destinationOf))].sort(),
    ...(lease &&
      lease.until >= now && {
        leased: { until: lease.until.toISOString(), reason: lease.postponed ? 'postponed' : 'held' },
      }),
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
  const { complete, capacity } = result;
  const failures = result.failed.map(({ messageId, code, message }) => ({
    messageId,
    code,
    problem: message,
  }));
  const dryRun = 'waiting' in result;
  return {
    endpoint,
    dryRun,
    ...(dryRun ? waitingCounts(result) : runCounts(result)),
    failed: failures.length,
    complete,
    capacity,
    ...(dryRun && { records: result.waiting }),
    failures,
    problem: problemOf(result),
  };
}

/** The counts so far. */
export function summaryOf(result: RelayResult | DryRunResult): string {
  const { failed } = result;
  if ('waiting' in result) {
    const { waiting, held } = waitingCounts(result);
    return `${waiting} to dispatch, ${held} held by another run, ${failed.length} unreadable`;
  }
  const { dispatched, held, settled } = result;
  return `${dispatched} dispatched, ${held} held by another run, ${settled} settled meanwhile, ${failed.length} failed`;
}

/** Why the run did not look at all records. */
export function problemOf({ complete, searchError }: RelayResult | DryRunResult): string | undefined {
  if (searchError !== undefined) {
    const { name, message } = searchError instanceof Error ? searchError : new Error(String(searchError));
    return `The search ended early: ${name}: ${message}`;
  }
  return complete ? undefined : 'Interrupted: there may be more records';
}

function waitingCounts({ waiting }: DryRunResult): { waiting: number; held: number } {
  const held = waiting.filter(({ leased }) => leased?.reason === 'held').length;
  return { waiting: waiting.length - held, held };
}

function runCounts({ found, dispatched, held, postponed, settled }: RelayResult) {
  return { found, dispatched, held, postponed, settled };
}

function lineOf({ messageId, storedAt, operations, destinations, leased }: WaitingRecord): string {
  const note =
    leased && `  (${leased.reason === 'held' ? 'held by another run' : 'postponed'} until ${leased.until})`;
  return `${messageId}  ${storedAt}  ${operations} -> ${destinations.join(', ')}${note ?? ''}`;
}

function destinationOf(operation: OutgoingOperation): string {
  return isCancellation(operation) ? '(cancels a schedule)' : operation.destination;
}

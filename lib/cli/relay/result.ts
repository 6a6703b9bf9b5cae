import { isCancellation, type OutgoingOperation } from '../../messages/message.ts';
import type { OutboxRecord } from '../../outbox/record.ts';
import type { RelayResult } from '../../relay/relay-result.ts';
import { reasonOf } from '../command.ts';

/** A record that would be dispatched. */
export type WaitingRecord = ReturnType<typeof waitingRecord>;

/** The result of a dry run; `failed` are the records that cannot be read. */
export interface DryRunResult extends Pick<RelayResult, 'failed' | 'complete' | 'capacity' | 'searchError'> {
  readonly waiting: readonly WaitingRecord[];
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

function destinationOf(operation: OutgoingOperation): string {
  return isCancellation(operation) ? '(cancels a schedule)' : operation.destination;
}

export function linesOf(result: RelayResult | DryRunResult): string[] {
  const waiting = 'waiting' in result ? result.waiting : [];
  return [
    ...waiting.map(lineOf),
    ...result.failed.map(({ messageId, message }) => `${messageId}: ${message}`),
    summaryOf(result),
    ...[problemOf(result) ?? []].flat(),
  ];
}

function lineOf({ messageId, storedAt, operations, destinations, leased }: WaitingRecord): string {
  const state = leased?.reason === 'held' ? 'held by another run' : 'postponed';
  const note = leased ? `  (${state} until ${leased.until})` : '';
  return `${messageId}  ${storedAt}  ${operations} -> ${destinations.join(', ')}${note}`;
}

/** For `--json`: counts by their names, and what failed in `failures`, as `sagabox redrive` has them. */
export function objectOf(result: RelayResult | DryRunResult, endpoint: string): object {
  const { complete, capacity, failed, searchError: _error, ...others } = result;
  const isDry = 'waiting' in others;
  return {
    endpoint,
    dryRun: isDry,
    ...(isDry ? waitingCounts(others) : others),
    failed: failed.length,
    complete,
    capacity,
    ...(isDry && { records: others.waiting }),
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
export function problemOf({ complete, searchError }: RelayResult | DryRunResult): string | undefined {
  if (searchError !== undefined) return `The search ended early: ${reasonOf(searchError)}`;
  return complete ? undefined : 'Interrupted: there may be more records';
}

function waitingCounts({ waiting }: Pick<DryRunResult, 'waiting'>) {
  const held = waiting.filter(({ leased }) => leased?.reason === 'held').length;
  return { waiting: waiting.length - held, held };
}

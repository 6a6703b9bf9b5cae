import { textTable } from '../../charts/text-table.ts';
import { formatUnits } from '../plan/format.ts';
import type { SagaSummary } from '../stored/saga-summary.ts';

export interface ListedSaga extends SagaSummary {
  /** The correlation value, or its hash. */
  readonly id: string;
  readonly isHashed?: true;
}

export interface ListResult {
  readonly saga: string;
  readonly sagas: readonly ListedSaga[];
  /** How many were left out because their states cannot be read. */
  readonly unreadable: number;
  /** Whether the end of the table was reached. */
  readonly isComplete: boolean;
  /** Undefined then, and if nothing was read. */
  readonly nextToken: string | undefined;
  readonly readUnits: number;
  /** Why the page ended early. */
  readonly problem?: string | undefined;
}

export function objectOf(result: ListResult): object {
  const { saga, sagas, isComplete: complete, nextToken, readUnits, problem } = result;
  const unreadable = result.unreadable || undefined;
  return { saga, sagas, unreadable, complete, nextToken, capacity: { readUnits }, problem };
}

export function linesOf({
  sagas,
  unreadable,
  isComplete,
  nextToken,
  readUnits,
  problem,
}: ListResult): string[] {
  const rows = sagas.map(({ id, isHashed, version, stateVersion, updatedAt = '', lease, timeouts }) => [
    `${id}${isHashed ? ' (hash)' : ''}`,
    String(version),
    String(stateVersion),
    updatedAt,
    lease ? `${lease.hasExpired ? 'expired' : 'held'}, ${lease.until}` : '',
    timeouts.length === 0 ? '' : String(timeouts.length),
  ]);
  const head = ['id', 'version', 'state version', 'updated', 'lease', 'timeouts'];
  const goOn = nextToken === undefined ? '' : `: --starting-token ${nextToken}`;
  const more = isComplete ? 'the end of the table' : `more${goOn}`;
  return [
    ...(rows.length === 0
      ? []
      : textTable([head, ...rows], ['left', 'right', 'right', 'left', 'left', 'right'])),
    `sagas: ${sagas.length}, ${formatUnits(readUnits)} RCU; ${more}`,
    ...(unreadable > 0 ? [`left out, as their states cannot be read: ${unreadable}`] : []),
    ...[problem ?? []].flat(),
  ];
}

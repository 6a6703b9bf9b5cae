import type { ScaleLimit } from '../../capacity/index.ts';
import { formatPercent, formatUnits, formatWhole } from './format.ts';
import type { DataTable } from './tables.ts';

/** What is further away is left out, but for the nearest. */
const SHOWN_FROM_PERCENT = 10;

/** The limits that a workload comes near to, the nearest first; never none. */
export function limitsTable(limits: readonly ScaleLimit[]): DataTable {
  const shown = limits.filter(({ usedPercent }, index) => index === 0 || usedPercent >= SHOWN_FROM_PERCENT);
  return {
    caption: 'Limits at the busiest time, the nearest first',
    head: ['', '', 'takes', 'default', 'used', 'reached at'],
    rows: shown.map(({ of, unit, figure, limit, usedPercent, reachedAtMessagesPerSecond: at }) => [
      ...[of, unit],
      figure < 100 ? formatUnits(figure) : formatWhole(figure),
      formatWhole(limit),
      formatPercent(usedPercent >= 10 ? Math.round(usedPercent) : usedPercent),
      at === undefined ? '' : `${at < 100 ? formatUnits(at) : formatWhole(at)}/s`,
    ]),
    leftColumns: 2,
  };
}

/** Each limit that is passed, and what to do about it; of the nearest, if none is. */
export function limitNotes(limits: readonly ScaleLimit[]): string[] {
  const passed = limits.filter(({ isPassed }) => isPassed);
  const heading = passed.length === 1 ? '1 limit is passed.' : `${passed.length} limits are passed.`;
  const noted = passed.length > 0 ? passed : limits.slice(0, 1);
  const notes = Map.groupBy(noted, ({ name }) => name);
  return [
    passed.length > 0 ? heading : 'No limit is passed. The nearest:',
    ...[...notes.values()].map(noteOf),
  ];
}

/** One for the saga table and the outbox table, say: their limits are of one kind. */
function noteOf(limits: readonly ScaleLimit[]): string {
  const [first] = limits;
  if (first === undefined) return '';
  const { unit, source, remedy, adjustable } = first;
  const of = [...new Set(limits.map((limit) => limit.of))].join(', ');
  const kind = adjustable ? 'can be raised' : 'fixed';
  const read = `${source.verified ? 'read' : 'not verified,'} ${source.read}`;
  return `- ${of}: ${unit} (${kind}; "${source.title}", ${read}). ${remedy}.`;
}

import type { ScaleLimit } from '../../capacity/index.ts';
import { formatPercent, formatUnits, formatWhole } from './format.ts';
import type { DataTable } from './tables.ts';

/** What is further away is left out, but for the nearest. */
const SHOWN_FROM_PERCENT = 10;

/** The limits that a workload comes near to, the nearest first; never none. */
export function limitsTable(limits: readonly ScaleLimit[]): DataTable {
  const shown = limits.filter(({ usedPercent }, index) => index === 0 || usedPercent >= SHOWN_FROM_PERCENT);
  return {
    caption: 'Limits at the busiest time, the nearest first, and estimates',
    head: ['', '', 'takes', 'limit', 'used', 'reached at'],
    rows: shown.map(({ of, unit, figure, limit, usedPercent, reachedAtMessagesPerSecond: at }) => [
      ...[of, unit],
      ...[figure, limit].map(formatFigure),
      formatUsed(usedPercent),
      at === undefined ? '' : `${formatFigure(at)}/s`,
    ]),
    leftColumns: 2,
  };
}

export function formatFigure(value: number): string {
  return value < 100 ? formatUnits(value) : formatWhole(value);
}

function formatUsed(percent: number): string {
  if (percent >= 10_000) return '> 100 x';
  return formatPercent(percent >= 10 ? Math.round(percent) : percent);
}

/** Limits that apply at the same time: a table is either on demand or provisioned. */
export const limitGroups: readonly {
  readonly heading: string;
  readonly has: (limit: ScaleLimit) => boolean;
}[] = [
  { heading: 'in either billing mode', has: (limit) => limit.billing === undefined && !limit.isEstimate },
  { heading: 'with tables on demand', has: ({ billing }) => billing === 'onDemand' },
  { heading: 'with provisioned tables', has: ({ billing }) => billing === 'provisioned' },
  { heading: 'by estimate', has: ({ isEstimate }) => isEstimate },
];

/** Each limit that is passed, and what to do about it; of the nearest, if none is. */
export function limitNotes(limits: readonly ScaleLimit[]): string[] {
  const passed = limits.filter(({ isPassed }) => isPassed);
  const first = limits.slice(0, 1).map(noteOf);
  if (passed.length === 0) return ['No limit is passed. The nearest:', ...first];
  return limitGroups.flatMap(({ heading, has }) => {
    const notes = Map.groupBy(passed.filter(has), ({ name }) => name);
    return notes.size === 0 ? [] : [`Passed ${heading}:`, ...[...notes.values()].map(noteOfAll)];
  });
}

function noteOf(limit: ScaleLimit): string {
  return noteOfAll([limit]);
}

/** One for the saga table and the outbox table, say: their limits are of one kind. */
function noteOfAll(limits: readonly ScaleLimit[]): string {
  const [first] = limits;
  if (first === undefined) return '';
  const { unit, source, remedy, adjustable, isEstimate } = first;
  const of = [...new Set(limits.map((limit) => limit.of))].join(', ');
  const kind = adjustable ? 'can be raised' : 'fixed';
  const read = isEstimate ? '' : `, ${source.verified ? 'read' : 'not verified,'} ${source.read}`;
  return `- ${of}: ${unit} (${kind}; "${source.title}"${read}). ${remedy}.`;
}

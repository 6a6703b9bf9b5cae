import { formatMillis, formatUnits, formatWhole } from '../../../bench/report/format.ts';
import { type Column, type LabeledRow, type Table, tableOf } from '../../../bench/report/tables.ts';
import { type DesignName, designs } from '../designs.ts';
import type { RoundFigures } from '../measure/round.ts';
import type { ReportFigures } from './figures.ts';

const columns: readonly Column<RoundFigures>[] = [
  ['messages', ({ messages }) => messages, formatWhole],
  ['conflicts', ({ conflicts }) => conflicts, formatWhole],
  ['refused leases', ({ refusedLockAttempts }) => refusedLockAttempts, formatWhole],
  ['dead-lettered', ({ deadLettered }) => deadLettered, formatWhole],
  ['WCU', ({ wcuPerMessage }) => wcuPerMessage, formatUnits],
  ['refused WCU', ({ refusedWcuPerMessage }) => refusedWcuPerMessage, formatUnits],
  ['RCU', ({ rcuPerMessage }) => rcuPerMessage, formatUnits],
  ['calls', ({ callsPerMessage }) => callsPerMessage, formatUnits],
  ['time', ({ millisPerMessage }) => millisPerMessage, formatMillis],
];

/** Two rows for each design. Units, calls and time are those of one message. */
export function designTable(
  figures: ReportFigures['designs'],
  titleOf: (name: DesignName) => string = (name) => name,
): Table {
  const rows = (Object.keys(figures) as DesignName[]).flatMap((name): LabeledRow<RoundFigures>[] => {
    const { before, after } = figures[name] ?? {};
    if (before === undefined || after === undefined) return [];
    return [
      [`${titleOf(name)}: ${designs[name].before.label}`, before],
      [`→ ${designs[name].after.label}`, after],
    ];
  });
  return tableOf('', rows, columns);
}

import type { CapacityReport } from '../../capacity/index.ts';
import { refusalLines, reportTable } from '../../capacity/measured/format-report.ts';
import { formatRatio, plannedLines, plannedToMeasured } from './as-planned.ts';
import type { MeasuredShape } from './measured-shape.ts';
import type { MeasureResult } from './run.ts';

/** For `--json`: sums of all messages. */
export function objectOf({ shape, planned, report, duplicatesReport, ...rest }: MeasureResult): object {
  const { doubts, ...newMessages } = report;
  const difference = plannedToMeasured(planned, report.measured);
  const duplicates = duplicatesReport && withoutDoubts(duplicatesReport);
  return {
    engine: rest.engine,
    messages: rest.messages,
    duplicates: rest.duplicates,
    compressionRatio: rest.compressionRatio,
    shape,
    isEqual: isEqual({ report, duplicatesReport }),
    newMessages: { planned, ...newMessages, plannedToMeasured: difference },
    ...(duplicates && { duplicateMessages: duplicates }),
    doubts,
  };
}

export function isEqual({
  report,
  duplicatesReport,
}: Pick<MeasureResult, 'report' | 'duplicatesReport'>): boolean {
  return report.isEqual && (duplicatesReport?.isEqual ?? true);
}

/** The result for people: averages of the messages. */
export function linesOf(result: MeasureResult): string[] {
  const { engine, shape, messages, duplicates, report, duplicatesReport } = result;
  return [
    `${count(messages, 'message')} on ${engine}: ${describe(shape)}`,
    ...ratioLines(result),
    '',
    'What a new message takes:',
    '',
    ...reportTable(report),
    ...(duplicatesReport
      ? ['', `What a duplicate takes, of ${duplicates}:`, '', ...reportTable(duplicatesReport)]
      : []),
    '',
    ...plannedLines(result),
    ...refusalLines({ refusedWcu: report.refusedWcu + (duplicatesReport?.refusedWcu ?? 0) }),
    ...report.doubts.map((doubt) => `Not certain: ${doubt}.`),
    ...verdict(result),
  ];
}

function verdict({ report, duplicatesReport, messages, duplicates }: MeasureResult): string[] {
  const inAll = (differences: readonly string[], of: string) =>
    differences.map((difference) => `Not as predicted, in all ${of}: ${difference}`);
  const lines = [
    ...inAll(report.differences, count(messages, 'message')),
    ...inAll(duplicatesReport?.differences ?? [], count(duplicates, 'duplicate')),
  ];
  return lines.length === 0 ? ['Every step of every message takes what was predicted.'] : lines;
}

function describe({
  sagaBytes,
  sagaChange,
  locking,
  outgoing,
  messageBytes,
  outbox,
  relayIndex,
}: MeasuredShape) {
  const saga =
    sagaBytes === 0 ? 'no saga' : `saga of ${sagaBytes} bytes (${changes[sagaChange]}, ${locking})`;
  const sends = outgoing === 0 ? 'nothing sent' : `${outgoing} sent of ${messageBytes} bytes`;
  return [saga, sends, outbox ? 'outbox' : 'no outbox', ...(relayIndex ? ['relay index'] : [])].join(', ');
}

const changes = { create: 'created', update: 'updated', complete: 'completed', none: 'unchanged' } as const;

/** Text never compresses just as asked. */
function ratioLines({ compressionRatio, shape }: MeasureResult): string[] {
  if (compressionRatio === undefined) return [];
  const [met, asked] = [formatRatio(compressionRatio), formatRatio(shape.compressionRatio)];
  if (met === asked) return [];
  return [
    `The messages that were sent compress to ${met} of their bytes, not ${asked}: predicted with --compression-ratio ${met}.`,
  ];
}

function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`;
}

function withoutDoubts({ doubts: _doubts, ...report }: CapacityReport) {
  return report;
}

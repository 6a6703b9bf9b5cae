import type { CapacityReport } from '../../capacity/index.ts';
import { refusalLines, reportTable } from '../../capacity/measured/format-report.ts';
import { formatRatio, plannedLine, plannedToMeasured } from './as-planned.ts';
import type { MeasureResult } from './run.ts';

/** For `--json`: sums of all messages. */
export function objectOf({ planned, report, duplicatesReport, ...rest }: MeasureResult): object {
  const { doubts, ...newMessages } = report;
  const difference = plannedToMeasured(planned, report.measured);
  return {
    ...rest,
    isEqual: isEqual({ report, duplicatesReport }),
    newMessages: { planned, ...newMessages, plannedToMeasured: difference },
    ...(duplicatesReport && { duplicateMessages: withoutDoubts(duplicatesReport) }),
    doubts,
  };
}

export function isEqual(result: Pick<MeasureResult, 'report' | 'duplicatesReport'>): boolean {
  return result.report.isEqual && (result.duplicatesReport?.isEqual ?? true);
}

/** The result for people: averages of the messages. */
export function linesOf(result: MeasureResult): string[] {
  const { engine, messages, duplicates, report, duplicatesReport } = result;
  const tableOf = (title: string, of: CapacityReport) => ['', title, '', ...reportTable(of)];
  const differences = [
    ...differencesOf(report, count(messages, 'message')),
    ...(duplicatesReport ? differencesOf(duplicatesReport, count(duplicates, 'duplicate')) : []),
  ];
  return [
    `${count(messages, 'message')} on ${engine}: ${describe(result)}`,
    ...ratioLines(result),
    ...tableOf('What a new message takes:', report),
    ...(duplicatesReport ? tableOf(`What a duplicate takes, of ${duplicates}:`, duplicatesReport) : []),
    '',
    plannedLine(result),
    ...refusalLines({ refusedWcu: report.refusedWcu + (duplicatesReport?.refusedWcu ?? 0) }),
    ...report.doubts.map((doubt) => `Not certain: ${doubt}.`),
    ...(differences.length === 0 ? ['Every step of every message takes what was predicted.'] : differences),
  ];
}

function differencesOf({ differences }: CapacityReport, of: string): string[] {
  return differences.map((difference) => `Not as predicted, in all ${of}: ${difference}`);
}

const changes = { create: 'created', update: 'updated', complete: 'completed', none: 'unchanged' } as const;

function describe({ shape }: MeasureResult): string {
  const { sagaBytes, sagaChange, locking, outgoing, messageBytes, outbox, relayIndex } = shape;
  const saga =
    sagaBytes === 0 ? 'no saga' : `saga of ${sagaBytes} bytes (${changes[sagaChange]}, ${locking})`;
  const sends = outgoing === 0 ? 'nothing sent' : `${outgoing} sent of ${messageBytes} bytes`;
  return [saga, sends, outbox ? 'outbox' : 'no outbox', ...(relayIndex ? ['relay index'] : [])].join(', ');
}

/** Random strings never compress exactly as asked. */
function ratioLines({ compressionRatio, shape }: MeasureResult): string[] {
  if (compressionRatio === undefined) return [];
  const [stored, asked] = [formatRatio(compressionRatio), formatRatio(shape.compressionRatio)];
  if (stored === asked) return [];
  return [
    `The messages that were sent compress to ${stored} of their bytes, not ${asked}: ` +
      `predicted with --compression-ratio ${stored}.`,
  ];
}

function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`;
}

function withoutDoubts({ doubts: _doubts, ...report }: CapacityReport) {
  return report;
}

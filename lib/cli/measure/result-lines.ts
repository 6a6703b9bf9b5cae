import type { CapacityReport, ComparedStep, StepFigures } from '../../capacity/index.ts';
import type { MeasuredShape } from './measured-shape.ts';
import type { MeasureResult } from './run.ts';

const figures = ['calls', 'items', 'rcu', 'wcu'] as const;
const headings = { calls: 'calls', items: 'items', rcu: 'RCU', wcu: 'WCU' } as const;
const narrowestColumn = 7;
const gap = '   ';

/** The result as one object, for programs: sums of all messages. */
export function toJson({ shape, report, duplicatesReport, ...rest }: MeasureResult): string {
  const { doubts, ...newMessages } = report;
  const duplicates = duplicatesReport && withoutDoubts(duplicatesReport);
  return JSON.stringify({
    engine: rest.engine,
    messages: rest.messages,
    duplicates: rest.duplicates,
    compressionRatio: rest.compressionRatio,
    shape,
    isEqual: isEqual({ report, duplicatesReport }),
    newMessages,
    ...(duplicates && { duplicateMessages: duplicates }),
    doubts,
  });
}

export function isEqual({
  report,
  duplicatesReport,
}: Pick<MeasureResult, 'report' | 'duplicatesReport'>): boolean {
  return report.isEqual && (duplicatesReport?.isEqual ?? true);
}

/** The result for people: averages of the messages. */
export function toLines(result: MeasureResult): string[] {
  const { engine, shape, messages, duplicates, report, duplicatesReport } = result;
  return [
    `${count(messages, 'message')} on ${engine}: ${describe(shape)}`,
    ...ratioLines(result),
    '',
    'What a new message takes:',
    '',
    ...table(report, messages),
    ...(duplicatesReport
      ? ['', `What a duplicate takes, of ${duplicates}:`, '', ...table(duplicatesReport, duplicates)]
      : []),
    '',
    ...sourceLines([...report.steps, ...(duplicatesReport?.steps ?? [])]),
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

/** Predicted | measured, for each step, and their sums. */
function table({ steps, predicted, measured }: CapacityReport, messages: number): string[] {
  const nameWidth = Math.max('sum'.length, ...steps.map(({ step }) => step.length));
  const operationWidth = Math.max('call'.length, ...steps.map(({ operation }) => operation.length));
  const start = (name: string, operation: string) =>
    `${name.padEnd(nameWidth)}  ${operation.padEnd(operationWidth)}`;
  const all = [...steps.flatMap((step) => [step.predicted, step.measured]), predicted, measured];
  const numbers = all.flatMap((one) => figures.map((figure) => number(one[figure] / messages)));
  const columnWidth = Math.max(narrowestColumn, ...numbers.map(({ length }) => length + 2));
  const cells = (one: StepFigures) =>
    figures.map((figure) => number(one[figure] / messages).padStart(columnWidth)).join('');
  const head = figures.map((figure) => headings[figure].padStart(columnWidth)).join('');
  const line = (name: string, operation: string, one: StepFigures, other: StepFigures, rest: string) =>
    `${start(name, operation)}${cells(one)}${gap}${cells(other)}${gap}${rest}`.trimEnd();
  const groups = ['predicted', 'measured'].map((name) => name.padStart(head.length));
  return [
    `${start('', '')}${groups.join(gap)}`,
    `${start('step', 'call')}${head}${gap}${head}${gap}units`,
    ...steps.map((row) => line(row.step, row.operation, row.predicted, row.measured, remark(row))),
    line('sum', '', predicted, measured, ''),
  ];
}

function remark({ source, isEqual: equal, step }: ComparedStep): string {
  const told = source === 'none' ? '' : source;
  if (step === 'other') return [told, '(of the handler itself)'].filter(Boolean).join(' ');
  return equal ? told : [told, '<- differs'].filter(Boolean).join(' ');
}

function number(value: number): string {
  return String(Math.round(value * 100) / 100);
}

function describe({
  sagaBytes,
  sagaChange,
  locking,
  outgoing,
  messageBytes,
  outbox,
  recoveryIndex,
}: MeasuredShape) {
  const saga =
    sagaBytes === 0 ? 'no saga' : `saga of ${sagaBytes} bytes (${changes[sagaChange]}, ${locking})`;
  const sends = outgoing === 0 ? 'nothing sent' : `${outgoing} sent of ${messageBytes} bytes`;
  return [saga, sends, outbox ? 'outbox' : 'no outbox', ...(recoveryIndex ? ['recovery index'] : [])].join(
    ', ',
  );
}

const changes = { create: 'created', update: 'updated', complete: 'completed', none: 'unchanged' } as const;

/** Text never compresses just as asked. */
function ratioLines({ compressionRatio, shape }: MeasureResult): string[] {
  if (compressionRatio === undefined) return [];
  const [met, asked] = [compressionRatio.toFixed(2), shape.compressionRatio.toFixed(2)];
  if (met === asked) return [];
  return [
    `The messages that were sent compress to ${met} of their bytes, not ${asked}: predicted with --compression-ratio ${met}.`,
  ];
}

function sourceLines(steps: readonly ComparedStep[]): string[] {
  const sources = steps.map(({ source }) => source).join(' ');
  return [
    ...(sources.includes('reported') ? ['reported: the units that the engine reports.'] : []),
    ...(sources.includes('computed')
      ? [
          'computed: from the items that were really written and read, as DynamoDB Local reports those of transactions, and of',
          '          reads that find nothing, wrongly.',
        ]
      : []),
  ];
}

function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`;
}

function withoutDoubts({ doubts: _doubts, ...report }: CapacityReport) {
  return report;
}

import type { CapacityReport } from '../../capacity/index.ts';
import { formatFigure, refusalLines, reportTable } from '../../capacity/measured/format-report.ts';
import type { MeasureResult } from './run.ts';

const units = [
  ['rcu', 'RCU'],
  ['wcu', 'WCU'],
] as const;

/** For `--json`: sums of all messages. */
export function objectOf({ planned, report, duplicatesReport, ...rest }: MeasureResult): object {
  const { doubts, ...newMessages } = report;
  const { doubts: _doubts, ...duplicateMessages } = duplicatesReport ?? {};
  const { measured } = report;
  const [rcu, wcu] = [measured.rcu - planned.rcu, measured.wcu - planned.wcu];
  // Without planned units there is no share of them.
  const percent = (difference: number, of: number) => (of === 0 ? undefined : (difference / of) * 100);
  const percents = { rcuPercent: percent(rcu, planned.rcu), wcuPercent: percent(wcu, planned.wcu) };
  return {
    ...rest,
    isEqual: isEqual({ report, duplicatesReport }),
    newMessages: { planned, ...newMessages, plannedToMeasured: { rcu, wcu, ...percents } },
    ...(duplicatesReport && { duplicateMessages }),
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
  const { sagaBytes, sagaChange, locking, outgoing, messageBytes } = shape;
  const { appended, collected, contributionBytes } = shape;
  const saga =
    sagaBytes === 0 ? 'no saga' : `saga of ${sagaBytes} bytes (${changes[sagaChange]}, ${locking})`;
  const sends = outgoing === 0 ? 'nothing sent' : `${outgoing} sent of ${messageBytes} bytes`;
  const values = [
    appended > 0 && `${appended} appended of ${contributionBytes} bytes`,
    collected > 0 && `${collected} collected of ${contributionBytes} bytes`,
  ];
  return [saga, ...values, sends, outboxOf(shape)].filter((part) => part !== false).join(', ');
}

function outboxOf({ outbox, layout, liveIds }: MeasureResult['shape']): string {
  if (!outbox) return 'no outbox';
  return layout === 'embedded' ? `embedded outbox with ${liveIds} live ids` : 'outbox';
}

/** Random strings never compress exactly as asked. */
function ratioLines(result: MeasureResult): string[] {
  return otherRatios(result).map(
    ({ what, stored, asked, option }) =>
      `The ${what === 'messages' ? 'messages that were sent' : what} compress to ${stored} of their bytes, ` +
      `not ${formatRatio(asked)}: predicted with ${option} ${stored}.`,
  );
}

/** The ratios of what was stored that are not those that were asked. */
function otherRatios({ compressionRatio, sagaCompressionRatio, shape }: MeasureResult) {
  return [
    {
      what: 'messages',
      stored: otherRatio(compressionRatio, shape.compressionRatio),
      asked: shape.compressionRatio,
      option: '--compression-ratio',
    },
    {
      what: 'sagas',
      stored: otherRatio(sagaCompressionRatio, shape.sagaCompressionRatio),
      asked: shape.sagaCompressionRatio,
      option: '--saga-compression-ratio',
    },
  ].filter(({ stored }) => stored !== undefined);
}

/** The plan of the shape as given, averaged over the messages, and why a run consumes something else. */
function plannedLine(result: MeasureResult): string {
  const { planned, report } = result;
  const { measured, messages, isEqual: isPredicted } = report;
  const differing = units.filter(([unit]) => Math.abs(planned[unit] - measured[unit]) >= 1e-9);
  const shown = differing.length === 0 ? units : differing;
  const averages = (of: { rcu: number; wcu: number }) =>
    shown.map(([unit, name]) => `${formatFigure(of[unit] / messages)} ${name}`).join(' and ');
  if (differing.length === 0) return `As planned: ${averages(planned)}; measured the same.`;
  const differences = differing.map(([unit, name]) => {
    const difference = differenceOf(planned[unit], measured[unit]);
    return differing.length === 1 ? difference : `${difference} ${name}`;
  });
  // Where the steps are those of the stored ratios, these are the reason.
  const others = isPredicted ? otherRatios(result) : [];
  const compressed = others.map(({ what, stored }) => `the ${what} compress to ${stored}`).join(' and ');
  const given = others.map(({ option, stored }) => `${option} ${stored}`).join(' ');
  const reason = others.length === 0 ? undefined : `, because ${compressed}: pass ${given}`;
  const both = `${averages(planned)}; measured ${averages(measured)}`;
  return `As planned: ${both}: ${differences.join(' and ')}${reason ?? ''}.`;
}

function differenceOf(planned: number, measured: number): string {
  const how = measured < planned ? 'less' : 'more';
  return planned === 0 ? how : `${Math.round((Math.abs(measured - planned) / planned) * 100)} % ${how}`;
}

/** The stored ratio as an option takes it; `undefined` if it is the one that was asked. */
function otherRatio(stored: number | undefined, asked: number): string | undefined {
  if (stored === undefined || formatRatio(stored) === formatRatio(asked)) return undefined;
  return formatRatio(stored);
}

/** Nothing that is stored is counted as larger than it is uncompressed. */
function formatRatio(ratio: number): string {
  return Math.min(1, ratio).toFixed(2);
}

function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`;
}

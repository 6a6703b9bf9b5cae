import type { CapacityReport } from '../../capacity/index.ts';
import { formatFigure, formatReport, refusalLines } from '../../capacity/measured/format-report.ts';
import type { FunctionFigures } from './app-tally.ts';

export interface AppResult {
  /** What DynamoDB was: `dynoxide 1.2.1`. */
  readonly engine: string;
  readonly queue: string;
  /** Sent messages. */
  readonly messages: number;
  readonly functions: readonly FunctionFigures[];
  readonly doubts: readonly string[];
  /** The one that the queue feeds. */
  readonly predictedFunction: string;
  /** `undefined` without workload options. */
  readonly report: CapacityReport | undefined;
}

const columns = ['calls', 'RCU', 'WCU'];
const columnWidth = 8;
const refusedHeading = 'refused WCU, in all';

/** For `--json`. */
export function appObject({ functions, predictedFunction, report, ...rest }: AppResult): object {
  const perMessage = ({ rcu, wcu, messages }: FunctionFigures) =>
    messages === 0 ? undefined : { rcu: rcu / messages, wcu: wcu / messages };
  return {
    ...rest,
    functions: functions.map((one) => ({ ...one, perMessage: perMessage(one) })),
    ...(report && { prediction: { functionName: predictedFunction, ...report } }),
  };
}

/** The result for people. */
export function appLines({
  engine,
  queue,
  messages,
  functions,
  doubts,
  predictedFunction,
  report,
}: AppResult): string[] {
  const refusedWcu = functions.reduce((sum, one) => sum + one.refusedWcu, 0);
  const remarks = [...refusalLines({ refusedWcu }), ...doubts.map((doubt) => `Not certain: ${doubt}.`)];
  return [
    `${messages} sent to ${queue}, one by one, on ${engine}`,
    ...functions.flatMap((one) => ['', ...functionLines(one)]),
    ...(report
      ? ['', `${predictedFunction}, on average of its messages:`, '', formatReport(report)]
      : ['', ...remarks]),
  ];
}

function functionLines({
  functionName,
  invocations,
  messages,
  failures,
  operations,
  rcu,
  wcu,
  refusedWcu,
}: FunctionFigures): string[] {
  const calls = operations.reduce((sum, one) => sum + one.calls, 0);
  const width = Math.max('sum'.length, ...operations.map(({ operation }) => operation.length));
  const cells = (values: readonly number[]) =>
    values.map((value) => formatFigure(value).padStart(columnWidth)).join('');
  const refused = (units: number) =>
    refusedWcu > 0 ? formatFigure(units).padStart(refusedHeading.length) : '';
  const line = (name: string, values: readonly number[], refusedUnits: number) => {
    const each = messages === 0 ? '' : cells(values.map((value) => value / messages));
    return `${name.padEnd(width)}${cells(values)}   ${each}   ${refused(refusedUnits)}`.trimEnd();
  };
  const head = columns.map((column) => column.padStart(columnWidth)).join('');
  const failed = failures === 0 ? '' : `, ${failures} deliveries failed`;
  return [
    `${functionName}: ${messages} messages in ${invocations} invocations${failed}`,
    `${' '.repeat(width)}${'in all'.padStart(head.length)}${messages === 0 ? '' : `   ${'per message'.padStart(head.length)}`}`,
    `${'call'.padEnd(width)}${head}   ${messages === 0 ? '' : head}   ${refusedWcu > 0 ? refusedHeading : ''}`.trimEnd(),
    ...operations.map((one) => line(one.operation, [one.calls, one.rcu, one.wcu], one.refusedWcu)),
    line('sum', [calls, rcu, wcu], refusedWcu),
  ];
}

import type { CapacityReport } from '../../capacity/index.ts';
import { formatFigure, formatReport, refusalLines } from '../../capacity/measured/format-report.ts';
import type { FunctionFigures, OperationFigures } from './app-tally.ts';

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
export function appLines(result: AppResult): string[] {
  const { engine, queue, messages, functions, doubts, predictedFunction, report } = result;
  const refusedWcu = functions.reduce((sum, one) => sum + one.refusedWcu, 0);
  return [
    `${messages} sent to ${queue}, one by one, on ${engine}`,
    ...functions.flatMap((one) => ['', ...functionLines(one)]),
    '',
    ...(report
      ? [`${predictedFunction}, on average of its messages:`, '', formatReport(report)]
      : [...refusalLines({ refusedWcu }), ...doubts.map((doubt) => `Not certain: ${doubt}.`)]),
  ];
}

function functionLines(figures: FunctionFigures): string[] {
  const { functionName, invocations, messages, failures, operations } = figures;
  const calls = operations.reduce((sum, one) => sum + one.calls, 0);
  const width = Math.max('sum'.length, ...operations.map(({ operation }) => operation.length));
  const hasRefused = figures.refusedWcu > 0;
  // Without messages there is no average, and without refused calls no column of them.
  const row = (name: string, inAll: string, each: string, refused = '') =>
    `${name.padEnd(width)}${inAll}   ${messages === 0 ? '' : each}   ${hasRefused ? refused : ''}`.trimEnd();
  const cells = (values: readonly number[]) =>
    values.map((value) => formatFigure(value).padStart(columnWidth)).join('');
  const line = (name: string, one: Omit<OperationFigures, 'operation'>) => {
    const values = [one.calls, one.rcu, one.wcu];
    const refused = formatFigure(one.refusedWcu).padStart(refusedHeading.length);
    return row(name, cells(values), cells(values.map((value) => value / messages)), refused);
  };
  const head = columns.map((column) => column.padStart(columnWidth)).join('');
  const failed = failures === 0 ? '' : `, ${failures} deliveries failed`;
  return [
    `${functionName}: ${messages} messages in ${invocations} invocations${failed}`,
    row('', 'in all'.padStart(head.length), 'per message'.padStart(head.length)),
    row('call', head, head, refusedHeading),
    ...operations.map((one) => line(one.operation, one)),
    line('sum', { ...figures, calls }),
  ];
}

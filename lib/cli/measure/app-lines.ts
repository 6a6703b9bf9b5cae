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

const GAP = '   ';
const refusedHeading = 'refused WCU, in all';

function functionLines(figures: FunctionFigures): string[] {
  const { functionName, invocations, messages, failures, operations } = figures;
  const calls = operations.reduce((sum, one) => sum + one.calls, 0);
  const rows: readonly OperationFigures[] = [...operations, { ...figures, operation: 'sum', calls }];
  const width = Math.max(...rows.map(({ operation }) => operation.length));
  // Without messages there is no average, and without refused calls no column of them.
  const line = (name: string, inAll: string, each: string, refused = '') =>
    [name.padEnd(width) + inAll, messages > 0 ? each : '', figures.refusedWcu > 0 ? refused : '']
      .join(GAP)
      .trimEnd();
  const cells = (values: readonly (number | string)[]) =>
    values.map((value) => (typeof value === 'number' ? formatFigure(value) : value).padStart(8)).join('');
  const head = cells(['calls', 'RCU', 'WCU']);
  const failed = failures === 0 ? '' : `, ${failures} deliveries failed`;
  return [
    `${functionName}: ${messages} messages in ${invocations} invocations${failed}`,
    line('', 'in all'.padStart(head.length), 'per message'.padStart(head.length)),
    line('call', head, head, refusedHeading),
    ...rows.map(({ operation, calls, rcu, wcu, refusedWcu }) => {
      const values = [calls, rcu, wcu];
      const refused = formatFigure(refusedWcu).padStart(refusedHeading.length);
      return line(operation, cells(values), cells(values.map((value) => value / messages)), refused);
    }),
  ];
}

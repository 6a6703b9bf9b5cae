import type { CapacityReport } from '../../capacity/index.ts';
import { formatFigure, formatReport } from '../../capacity/measured/format-report.ts';
import type { FunctionFigures } from './app-tally.ts';

export interface AppResult {
  readonly queue: string;
  /** That were sent. */
  readonly messages: number;
  readonly functions: readonly FunctionFigures[];
  readonly doubts: readonly string[];
  /** The one that the queue feeds. */
  readonly predictedFunction: string;
  /** Nothing when no shape was given. */
  readonly report: CapacityReport | undefined;
}

const columns = ['calls', 'RCU', 'WCU'];
const columnWidth = 8;

/** The result as one object, for programs. */
export function appJson({ functions, predictedFunction, report, ...rest }: AppResult): string {
  const perMessage = ({ rcu, wcu, messages }: FunctionFigures) =>
    messages === 0 ? undefined : { rcu: rcu / messages, wcu: wcu / messages };
  return JSON.stringify({
    ...rest,
    functions: functions.map((one) => ({ ...one, perMessage: perMessage(one) })),
    ...(report && { prediction: { functionName: predictedFunction, ...report } }),
  });
}

/** The result for people. */
export function appLines({
  queue,
  messages,
  functions,
  doubts,
  predictedFunction,
  report,
}: AppResult): string[] {
  return [
    `${messages} sent to ${queue}, one by one, on DynamoDB Local`,
    ...functions.flatMap((one) => ['', ...functionLines(one)]),
    '',
    'reported: the units that the engine reports; computed: from the items that were really written and read.',
    ...(report
      ? ['', `${predictedFunction}, on average of its messages:`, '', formatReport(report)]
      : doubts.map((doubt) => `Not certain: ${doubt}.`)),
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
}: FunctionFigures): string[] {
  const calls = operations.reduce((sum, one) => sum + one.calls, 0);
  const width = Math.max('sum'.length, ...operations.map(({ operation }) => operation.length));
  const cells = (values: readonly number[]) =>
    values.map((value) => formatFigure(value).padStart(columnWidth)).join('');
  const line = (name: string, values: readonly number[], rest: string) => {
    const each = messages === 0 ? '' : cells(values.map((value) => value / messages));
    return `${name.padEnd(width)}${cells(values)}   ${each}   ${rest}`.trimEnd();
  };
  const head = columns.map((column) => column.padStart(columnWidth)).join('');
  const failed = failures === 0 ? '' : `, ${failures} deliveries failed`;
  return [
    `${functionName}: ${messages} messages in ${invocations} invocations${failed}`,
    `${' '.repeat(width)}${'in all'.padStart(head.length)}${messages === 0 ? '' : `   ${'per message'.padStart(head.length)}`}`,
    `${'call'.padEnd(width)}${head}   ${messages === 0 ? '' : head}   units`,
    ...operations.map((one) =>
      line(one.operation, [one.calls, one.rcu, one.wcu], one.source === 'none' ? '' : one.source),
    ),
    line('sum', [calls, rcu, wcu], ''),
  ];
}

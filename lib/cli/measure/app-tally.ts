import { CallRecorder, type CapacityReport } from '../../capacity/index.ts';
import type { MeteredCall, RecordedCall } from '../../capacity/measured/recorded-call.ts';
import { sum, sumOfUnits } from '../../capacity/steps.ts';
import type { InvocationReport } from '../../local/lambda/event-source.ts';
import type { AppMeasureOptions } from './options.ts';

export type FunctionFigures = ReturnType<AppTally['figures']>[number];

/** What all calls of one operation consumed. */
export type OperationFigures = FunctionFigures['operations'][number];

/** What the functions of an app called, and how often they were invoked. */
export class AppTally {
  /** Grows with each call and each invocation. */
  activity = 0;
  readonly #functions = new Map<string, ReturnType<typeof newTally>>();

  get doubts(): string[] {
    return [...new Set([...this.#functions.values()].flatMap(({ recorder }) => recorder.doubts))];
  }

  add(functionName: string, call: RecordedCall): void {
    this.activity += 1;
    this.#of(functionName).recorder.add(call);
  }

  invoked({ functionName, records, acknowledgedMessageIds }: InvocationReport): void {
    this.activity += 1;
    const tally = this.#of(functionName);
    tally.invocations += 1;
    tally.messages += acknowledgedMessageIds.length;
    tally.failures += records.length - acknowledgedMessageIds.length;
  }

  figures() {
    const named = [...this.#functions].toSorted(([one], [other]) => (one < other ? -1 : 1));
    return named.map(([functionName, { recorder, ...counts }]) => {
      const byOperation = [...Map.groupBy(recorder.calls, ({ operation }) => operation)];
      const operations = byOperation.map(([operation, calls]) => {
        return { operation, calls: calls.length, ...sumOf(calls) };
      });
      return { functionName, ...counts, operations, ...sumOf(recorder.calls) };
    });
  }

  /** The plan of the shape for the messages of a function, beside its calls. */
  report(functionName: string, { shape, sharedTable }: AppMeasureOptions): CapacityReport | undefined {
    const { recorder, messages } = this.#of(functionName);
    if (shape === undefined || messages === 0) return undefined;
    const report = recorder.report(shape, { sharedTable, messages });
    return { ...report, doubts: [...new Set([...this.doubts, ...report.doubts])] };
  }

  #of(functionName: string) {
    const tally = this.#functions.get(functionName) ?? newTally();
    this.#functions.set(functionName, tally);
    return tally;
  }
}

/** `messages` counts the deliveries that were acknowledged, `failures` the others. */
function newTally() {
  return { recorder: new CallRecorder(), invocations: 0, messages: 0, failures: 0 };
}

/** `refusedWcu`: of calls that a condition refused, by the rules, as no engine reports them. */
function sumOf(calls: readonly MeteredCall[]) {
  const units = sumOfUnits(calls.map((call) => call.units));
  return { ...units, refusedWcu: sum(calls, ({ refusedWcu }) => refusedWcu) };
}

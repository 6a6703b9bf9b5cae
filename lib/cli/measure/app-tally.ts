import {
  CallRecorder,
  type CapacityReport,
  type MeteredCall,
  type RecordedCall,
} from '../../capacity/index.ts';
import { mixedSteps, stepsOf } from '../../capacity/measured/call-steps.ts';
import { capacityReport } from '../../capacity/measured/capacity-report.ts';
import { compareSteps } from '../../capacity/measured/comparison.ts';
import { timesSteps } from '../../capacity/measured/observed-messages.ts';
import { planMessage } from '../../capacity/plan-message.ts';
import type { InvocationReport } from '../../local/lambda/event-source.ts';
import type { AppMeasureOptions } from './options.ts';

/** What all calls of one operation took. */
export interface OperationFigures {
  readonly operation: string;
  readonly calls: number;
  readonly rcu: number;
  readonly wcu: number;
  /** Of calls that a condition refused, by the rules: no engine reports them. */
  readonly refusedWcu: number;
}

export interface FunctionFigures {
  readonly functionName: string;
  readonly invocations: number;
  /** That it acknowledged. */
  readonly messages: number;
  /** Deliveries that it did not acknowledge. */
  readonly failures: number;
  readonly operations: readonly OperationFigures[];
  readonly rcu: number;
  readonly wcu: number;
  readonly refusedWcu: number;
}

interface Invoked {
  invocations: number;
  messages: number;
  failures: number;
}

/** What the functions of an app called, and how often they were invoked. */
export class AppTally {
  /** Grows with whatever happens. */
  activity = 0;
  readonly #recorder = new CallRecorder();
  readonly #calls = new Map<string, MeteredCall[]>();
  readonly #invoked = new Map<string, Invoked>();

  get doubts(): string[] {
    return [...new Set(this.#recorder.doubts)];
  }

  add(functionName: string, call: RecordedCall): void {
    this.activity += 1;
    this.#recorder.add(call);
    this.#calls.set(functionName, [...this.#callsOf(functionName), ...this.#recorder.take()]);
  }

  invoked({ functionName, records, acknowledgedMessageIds }: InvocationReport): void {
    this.activity += 1;
    const before = this.#invoked.get(functionName) ?? { invocations: 0, messages: 0, failures: 0 };
    this.#invoked.set(functionName, {
      invocations: before.invocations + 1,
      messages: before.messages + acknowledgedMessageIds.length,
      failures: before.failures + records.length - acknowledgedMessageIds.length,
    });
  }

  figures(): FunctionFigures[] {
    const names = new Set([...this.#invoked.keys(), ...this.#calls.keys()]);
    return [...names].toSorted().map((functionName) => {
      const calls = this.#callsOf(functionName);
      const byOperation = [...Map.groupBy(calls, ({ operation }) => operation)];
      const { invocations = 0, messages = 0, failures = 0 } = this.#invoked.get(functionName) ?? {};
      return {
        functionName,
        invocations,
        messages,
        failures,
        operations: byOperation.map(([operation, own]) => figuresOf(operation, own)),
        ...sumOf(calls),
      };
    });
  }

  /** The plan of the shape for the messages of a function, beside its calls. */
  report(functionName: string, { shape, sharedTable }: AppMeasureOptions): CapacityReport | undefined {
    const { messages = 0 } = this.#invoked.get(functionName) ?? {};
    if (shape === undefined || messages === 0) return undefined;
    const steps = timesSteps(planMessage(shape, { sharedTable }).steps, messages);
    return capacityReport(
      compareSteps(steps, this.#callsOf(functionName).flatMap(stepsOf)),
      [...this.doubts, ...mixedSteps(this.#callsOf(functionName))],
      messages,
    );
  }

  #callsOf(functionName: string): MeteredCall[] {
    return this.#calls.get(functionName) ?? [];
  }
}

function figuresOf(operation: string, calls: readonly MeteredCall[]): OperationFigures {
  return { operation, calls: calls.length, ...sumOf(calls) };
}

function sumOf(calls: readonly MeteredCall[]) {
  return calls.reduce(
    (sum, { units, refusedWcu }) => ({
      rcu: sum.rcu + units.rcu,
      wcu: sum.wcu + units.wcu,
      refusedWcu: sum.refusedWcu + refusedWcu,
    }),
    { rcu: 0, wcu: 0, refusedWcu: 0 },
  );
}

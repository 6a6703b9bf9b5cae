import {
  CallRecorder,
  type CapacityReport,
  type MeteredCall,
  type RecordedCall,
  type UnitSource,
} from '../../capacity/index.ts';
import { stepsOf } from '../../capacity/measured/call-steps.ts';
import { capacityReport } from '../../capacity/measured/capacity-report.ts';
import { compareSteps } from '../../capacity/measured/comparison.ts';
import { timesSteps } from '../../capacity/measured/observed-messages.ts';
import { planMessage } from '../../capacity/plan-message.ts';
import type { InvocationReport } from '../../local/event-source.ts';
import type { AppMeasureOptions } from './app-options.ts';

/** What all calls of one operation took. */
export interface OperationFigures {
  readonly operation: string;
  readonly calls: number;
  readonly rcu: number;
  readonly wcu: number;
  readonly source: UnitSource | 'reported and computed';
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

  /** One recorder prices the calls of all functions, as an item that one writes decides on what another's write takes. */
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
      this.doubts,
      messages,
    );
  }

  #callsOf(functionName: string): MeteredCall[] {
    return this.#calls.get(functionName) ?? [];
  }
}

function figuresOf(operation: string, calls: readonly MeteredCall[]): OperationFigures {
  const sources = new Set(calls.map(({ source }) => source).filter((source) => source !== 'none'));
  const source = sources.size > 1 ? 'reported and computed' : ([...sources][0] ?? 'none');
  return { operation, calls: calls.length, ...sumOf(calls), source };
}

function sumOf(calls: readonly MeteredCall[]) {
  return calls.reduce((sum, { units }) => ({ rcu: sum.rcu + units.rcu, wcu: sum.wcu + units.wcu }), {
    rcu: 0,
    wcu: 0,
  });
}

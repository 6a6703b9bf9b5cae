import {
  type CallRecorder,
  type CapacityReport,
  type MessagePlan,
  planMessage,
} from '../../capacity/index.ts';
import { stepsOf } from '../../capacity/measured/call-steps.ts';
import { capacityReport } from '../../capacity/measured/capacity-report.ts';
import {
  type ComparedStep,
  compareSteps,
  type StepFigures,
  sumOfComparisons,
  sumOfFigures,
} from '../../capacity/measured/comparison.ts';
import { timesSteps } from '../../capacity/measured/observed-messages.ts';
import type { MeteredCall } from '../../capacity/measured/recorded-call.ts';
import { storedRatio } from '../../capacity/measured/stored-ratio.ts';
import type { WholeShape } from '../../capacity/shape-defaults.ts';
import type { CommandIo } from '../command.ts';
import { syntheticDelivery } from './delivery.ts';
import type { MeasureTarget } from './local-target.ts';
import { storedSagaRatio } from './stored-sizes.ts';
import type { SyntheticMessage } from './synthetic-endpoint.ts';
import type { SyntheticMessages } from './synthetic-messages.ts';

export interface MeasureParts {
  readonly target: MeasureTarget;
  readonly recorder: CallRecorder;
  readonly messages: SyntheticMessages;
  readonly io: Pick<CommandIo, 'err' | 'signal'>;
  /** Called with all calls, soon after they were made. */
  readonly onCalls: (calls: readonly MeteredCall[]) => void;
}

export interface MeasureResult {
  readonly engine: string;
  readonly shape: WholeShape;
  /** New ones that were measured. */
  readonly messages: number;
  readonly duplicates: number;
  /** Of the stored outgoing messages, on average; `undefined` if none were stored. */
  readonly compressionRatio: number | undefined;
  /** Of the items of the sagas, on average; `undefined` if they are not compressed, or there are none. */
  readonly sagaCompressionRatio: number | undefined;
  /** Planned sums of the new messages, with the compression ratios that were asked. */
  readonly planned: StepFigures;
  /** Sums of all new messages, predicted with the stored compression ratios; compared message by message. */
  readonly report: CapacityReport;
  /** Sums of all duplicates; `undefined` without duplicates. */
  readonly duplicatesReport: CapacityReport | undefined;
}

const PROGRESS_EVERY = 100;
/** Delivered again in turn: more would only fill the memory. */
const KEPT_MESSAGES = 100;
const DUPLICATES_AT_MOST = 10_000;

/** Delivers messages one by one, each to a saga of its own, and sets what each takes beside its plan. */
export class MeasureRun {
  readonly #shape: WholeShape;
  readonly #parts: MeasureParts;
  readonly #deliver: (message: SyntheticMessage) => Promise<void>;
  readonly #delivered: { message: SyntheticMessage; plan: MessagePlan }[] = [];
  readonly #ratios: number[] = [];
  readonly #sagaRatios: number[] = [];

  constructor(shape: WholeShape, parts: MeasureParts) {
    this.#shape = shape;
    this.#parts = parts;
    this.#deliver = syntheticDelivery(shape, parts.messages.endpoint, parts.target);
  }

  async run(count: number): Promise<MeasureResult> {
    const { target, recorder } = this.#parts;
    const stop = recorder.watch(target.dynamoDBClient, target.sqsClient);
    try {
      const report = await this.#repeat(count, () => this.#measureNew());
      const duplicates = this.#duplicatesOf(count);
      const duplicatesReport = await this.#repeat(duplicates, (index) => this.#measureDuplicate(index));
      return {
        engine: target.engine,
        shape: this.#shape,
        messages: count,
        duplicates,
        compressionRatio: averageOf(this.#ratios),
        sagaCompressionRatio: averageOf(this.#sagaRatios),
        planned: sumOfFigures(timesSteps(this.#plan(this.#shape).steps, count)),
        report,
        duplicatesReport: duplicates === 0 ? undefined : duplicatesReport,
      };
    } finally {
      stop();
    }
  }

  async #repeat(
    count: number,
    measure: (index: number) => Promise<readonly ComparedStep[]>,
  ): Promise<CapacityReport> {
    const { recorder, io } = this.#parts;
    const compared: (readonly ComparedStep[])[] = [];
    while (compared.length < count) {
      io.signal.throwIfAborted();
      compared.push(await measure(compared.length));
      if (compared.length % PROGRESS_EVERY === 0) io.err(`${compared.length} of ${count} messages`);
    }
    return capacityReport(sumOfComparisons(compared), recorder.doubts, count);
  }

  async #measureNew(): Promise<readonly ComparedStep[]> {
    const { before, measured: message } = this.#parts.messages.next();
    const callsBefore: MeteredCall[] = [];
    for (const each of before) callsBefore.push(...(await this.#callsOf(each)));
    const calls = await this.#callsOf(message);
    // Random strings do not compress exactly as asked: the plan is that of the messages as they are.
    const ratio = storedRatio(calls);
    if (ratio !== undefined) this.#ratios.push(ratio);
    const { sagaBytes, sagaCompressionRatio } = this.#shape;
    const sagaRatio =
      sagaCompressionRatio < 1 ? storedSagaRatio([...callsBefore, ...calls], sagaBytes) : undefined;
    if (sagaRatio !== undefined) this.#sagaRatios.push(sagaRatio);
    const plan = this.#plan({
      ...this.#shape,
      ...(ratio && { compressionRatio: Math.min(1, ratio) }),
      ...(sagaRatio && { sagaCompressionRatio: sagaRatio }),
    });
    if (this.#delivered.length < KEPT_MESSAGES) this.#delivered.push({ message, plan });
    return compareSteps(plan.steps, calls.flatMap(stepsOf));
  }

  async #measureDuplicate(index: number): Promise<readonly ComparedStep[]> {
    const delivered = this.#delivered[index % this.#delivered.length];
    if (delivered === undefined) return [];
    const calls = await this.#callsOf(delivered.message);
    return compareSteps(delivered.plan.duplicate.steps, calls.flatMap(stepsOf));
  }

  async #callsOf(message: SyntheticMessage): Promise<readonly MeteredCall[]> {
    await this.#deliver(message);
    const calls = this.#parts.recorder.take();
    this.#parts.onCalls(calls);
    return calls;
  }

  #plan(shape: WholeShape): MessagePlan {
    const { sagaTableName, outboxTableName } = this.#parts.target;
    return planMessage(shape, { sharedTable: sagaTableName === outboxTableName });
  }

  /** So many that their share of all deliveries is as asked, and one at least unless the share is 0. */
  #duplicatesOf(count: number): number {
    const { duplicateRate, outbox } = this.#shape;
    if (duplicateRate === 0 || !outbox) return 0;
    const wanted = Math.round((count * duplicateRate) / (1 - duplicateRate));
    return Math.min(DUPLICATES_AT_MOST, Math.max(1, wanted));
  }
}

function averageOf(ratios: readonly number[]): number | undefined {
  return ratios.length === 0 ? undefined : ratios.reduce((sum, ratio) => sum + ratio, 0) / ratios.length;
}

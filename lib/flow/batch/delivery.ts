import { beforeAbort } from '../../core/async/before-abort.ts';
import type { MessageSchemas } from '../../core/handlers/schema.ts';
import type { MetricsRecorder } from '../../core/metrics/emf-metrics.ts';
import { CapacityMeter } from '../../core/storage/capacity-meter.ts';
import type { SagaIdentity } from '../../core/storage/keys.ts';
import type { CommitTerms, MergeOutcome, MessageSpan } from '../../ports.ts';
import { HandledAgain, isHandledAgain } from '../handled-again.ts';
import type { Ending, SagaLine, SagaLines } from '../saga/saga-line.ts';
import type { SagaPlace, TurnRequest } from '../saga/saga-place.ts';
import { AttemptResult } from './attempt-result.ts';
import { comesBack, type DeliveryOutcome } from './batch.ts';
import type { FifoPlace } from './fifo-place.ts';
import type { InvocationDeadline } from './invocation-deadline.ts';

export type DeliveryDeadline = Pick<
  InvocationDeadline,
  'assertTimeToStart' | 'remainingMs' | 'startableForMs' | 'untilGiveUp' | 'onStartMargin'
>;

/** One SQS record's way through an invocation, over all attempts at it; of a session, its one attempt. */
export class Delivery implements CommitTerms, Ending {
  /** What all attempts consume. */
  readonly meter = new CapacityMeter();
  readonly deadline: DeliveryDeadline;
  /** Of the invocation; undefined if sagabox emits none. */
  readonly metrics: MetricsRecorder | undefined;
  /** What the log of the invocation was warned of, where once is enough. */
  readonly warned: Set<'replay'>;
  /** How its commits shared calls with those of others, as far as that is not reported yet. */
  readonly merges: MergeOutcome[] = [];
  #result = new AttemptResult(false);
  #waitedMs = 0;
  #isAlone = false;
  readonly #lines: SagaLines;
  readonly #order: FifoPlace | undefined;
  #over: PromiseWithResolvers<void> | undefined;
  #copyAhead: Ending | undefined;
  #hasEnteredCopy = false;
  #saga: SagaIdentity | undefined;
  #place: SagaPlace | undefined;
  #sentIds: Set<string> | undefined;
  #ended = false;

  constructor(
    lines: SagaLines,
    deadline: DeliveryDeadline,
    metrics?: MetricsRecorder,
    order?: FifoPlace,
    warned: Delivery['warned'] = new Set(),
  ) {
    this.warned = warned;
    this.#lines = lines;
    this.deadline = deadline;
    this.metrics = metrics;
    this.#order = order;
  }

  /**
   * The operations of the outbox record that were sent in this delivery: a retry sends the rest, or only
   * marks. An attempt gives the ids to other operations only if no earlier one was committed and sent any.
   */
  get sentIds(): Set<string> {
    this.#sentIds ??= new Set();
    return this.#sentIds;
  }

  beginAttempt(isFirst: boolean, span?: MessageSpan): void {
    this.#result = new AttemptResult(isFirst, span);
    this.#waitedMs = 0;
  }

  /** The result of the present attempt. */
  get result(): AttemptResult {
    return this.#result;
  }

  get isFirstAttempt(): boolean {
    return this.#result.isFirst;
  }

  get span(): MessageSpan | undefined {
    return this.#result.span;
  }

  /** How long the present attempt waited for others: that is no part of what it costs. */
  get waitedMs(): number {
    return this.#waitedMs;
  }

  /** Whether the message is committed by itself from now on, and not with others of its saga. */
  get isAlone(): boolean {
    return this.#isAlone;
  }

  /** The saga of the message, once that is known. */
  get saga(): SagaIdentity | undefined {
    return this.#saga;
  }

  /**
   * Enters the line of the saga, in which the message keeps its place until the delivery ends. In a FIFO group
   * it comes behind those ahead of it. A message that turns out to be another saga's, too, as with handlers of two
   * endpoints, waits for its turn in the line that it entered first, so that nobody waits in two lines.
   *
   * @param messages of its saga, if those behind it may follow it in one commit
   * @throws HandledAgain if one ahead of it in its FIFO group was returned
   */
  async enterLine(
    saga: SagaIdentity,
    messageId: string,
    messages: MessageSchemas | undefined,
    signal: AbortSignal,
  ): Promise<SagaPlace> {
    this.#saga = saga;
    const line = this.#lines.of(saga);
    if (this.#place === undefined && this.#order) {
      await this.waitInOrder(messageId, signal, line);
      this.#order.enter(line, messages);
    }
    this.#place ??= line.enter({ messageId, isInOrder: this.isInOrder });
    if (this.#ended) this.#place.leave();
    return this.#place;
  }

  /**
   * Waits for its turn: until no other message of the batch works on the saga.
   *
   * @throws NotStarted when too little time is left by then; HandledAgain as `enterLine`
   */
  waitForTurn(place: SagaPlace, request: TurnRequest, signal: AbortSignal): Promise<void> {
    return this.#waitToStart(place.ask(request), place.messageId, signal);
  }

  /**
   * Waits until the copies of the message that are ahead of it in the batch have ended.
   *
   * @returns undefined if there is none, as for most messages: nothing is to be awaited
   * @throws as `waitForTurn`
   */
  waitForCopies(messageId: string, signal: AbortSignal): Promise<void> | undefined {
    if (!this.#hasEnteredCopy) this.#copyAhead = this.#lines.enterCopy(messageId, this);
    this.#hasEnteredCopy = true;
    return this.#copyAhead && this.#waitToStart(this.#copyAhead.untilOver(), messageId, signal);
  }

  untilOver(): Promise<void> {
    this.#over ??= Promise.withResolvers();
    if (this.#ended) this.#over.resolve();
    return this.#over.promise;
  }

  /**
   * Waits in a FIFO group until all messages ahead of it have ended.
   *
   * @param line in which those ahead of it may wait too
   * @throws as `waitForTurn`
   */
  async waitInOrder(messageId: string, signal: AbortSignal, line?: SagaLine): Promise<void> {
    if (this.#order) await this.#waitToStart(this.#order.untilEndAhead(line), messageId, signal);
  }

  async #waitToStart(others: Promise<void>, messageId: string, signal: AbortSignal): Promise<void> {
    try {
      await this.waitFor(others, signal);
    } finally {
      this.deadline.assertTimeToStart(messageId);
    }
    this.assertInOrder(messageId);
  }

  /** Waits for other messages. @throws the signal's reason */
  async waitFor<T>(others: Promise<T>, signal: AbortSignal): Promise<T> {
    const { remainingMs } = this.deadline;
    try {
      return await beforeAbort(others, signal);
    } finally {
      // Outside Lambda, Infinity minus Infinity is NaN.
      this.#waitedMs += remainingMs - this.deadline.remainingMs || 0;
    }
  }

  /** @throws HandledAgain if a message ahead of it in its FIFO group was returned: it is returned with it */
  assertInOrder(messageId: string): void {
    if (!this.#order?.isStopped) return;
    throw new HandledAgain(messageId, 'a message ahead of it in its FIFO group was returned to the queue');
  }

  get isInOrder(): boolean {
    return this.#order !== undefined;
  }

  /** Whether it is to be returned with a message ahead of it in its FIFO group. */
  get isStopped(): boolean {
    return this.#order?.isStopped === true;
  }

  /**
   * Others of its saga may go on, unless they have to wait for its next attempt.
   *
   * @returns why it does not count: it rests on what was not committed or is old, or those ahead of it come first
   */
  async attemptFailed(error: unknown, messageId: string): Promise<HandledAgain | undefined> {
    const group = this.#place?.failed(error);
    if (isHandledAgain(error)) {
      this.#isAlone ||= error.isAlone;
      return error;
    }
    if (group && !(await this.#untilEnd(group.ended))) {
      const reason = 'it failed on a state of its saga that was not committed';
      return new HandledAgain(messageId, reason, { cause: error });
    }
    const { confirmStateIsCurrent } = this.#result;
    if (confirmStateIsCurrent && !(await this.#untilEnd(confirmStateIsCurrent()))) {
      const reason = 'it failed on an old state of its saga';
      return new HandledAgain(messageId, reason, { cause: error });
    }
    const order = this.#order?.untilEndAhead().then(() => true);
    if (order === undefined || (await this.#untilEnd(order))) return undefined;
    return new HandledAgain(messageId, 'messages ahead of it in its FIFO group have not ended', {
      cause: error,
    });
  }

  /** @returns false when there is no time to wait for others */
  async #untilEnd(others: Promise<boolean>): Promise<boolean> {
    const { remainingMs } = this.deadline;
    const result = await this.deadline.untilGiveUp(() => others).catch(() => false);
    this.#waitedMs += remainingMs - this.deadline.remainingMs || 0;
    return result;
  }

  onMerge(outcome: MergeOutcome, together: readonly CommitTerms[] = []): void {
    this.merges.push(outcome);
    const others = together.flatMap(({ span }) => (span === this.span ? [] : (span ?? [])));
    this.span?.merged(others);
  }

  /** @param outcome undefined if it broke: then its record comes back too */
  end(outcome?: DeliveryOutcome): void {
    this.#ended = true;
    this.#order?.end(outcome === undefined || comesBack(outcome));
    this.#place?.leave();
    this.#over?.resolve();
  }

  /** A call that is answered after the end must not start another one. */
  get isOver(): boolean {
    return this.#ended;
  }

  /** @throws Error after the end: nobody waits for what is thrown */
  assertOngoing(): void {
    if (this.#ended) throw new Error('The message was returned before this call had its answer');
  }
}

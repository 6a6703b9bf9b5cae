import type { SagaIdentity } from '../dynamodb/keys.ts';
import { beforeAbort } from '../kernel/async/before-abort.ts';
import type { MessageSchemas } from '../messages/schema.ts';
import type { AttemptResult } from './attempt-result.ts';
import { comesBack, type DeliveryOutcome } from './delivery-outcome.ts';
import type { FifoPlace } from './fifo-place.ts';
import { HandledAgain, isHandledAgain } from './handled-again.ts';
import type { DeliveryDeadline } from './invocation-deadline.ts';
import type { QueueEntry, TurnRequest } from './saga-queue/queue-entry.ts';
import type { Ending, SagaQueue, SagaQueues } from './saga-queue/saga-queue.ts';

/**
 * The place of a delivery among the others of its batch. The delivery waits behind copies of its message,
 * behind those ahead of it in its FIFO group, and for its turn at its saga.
 */
export class BatchPlace implements Ending {
  readonly #queues: SagaQueues;
  readonly #deadline: DeliveryDeadline;
  readonly #order: FifoPlace | undefined;
  #waitedMs = 0;
  #isAlone = false;
  #saga: SagaIdentity | undefined;
  #queueEntry: QueueEntry | undefined;
  #copyAhead: Ending | undefined;
  #hasEnteredCopy = false;
  #over: PromiseWithResolvers<void> | undefined;
  #ended = false;

  /** @param order the place of the record in its FIFO group */
  constructor(queues: SagaQueues, deadline: DeliveryDeadline, order?: FifoPlace) {
    this.#queues = queues;
    this.#deadline = deadline;
    this.#order = order;
  }

  /** How long the attempts have waited for other messages: that is no part of their cost. */
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

  get isInOrder(): boolean {
    return this.#order !== undefined;
  }

  /** Whether the message is to be returned with one ahead of it in its FIFO group. */
  get isStopped(): boolean {
    return this.#order?.isStopped === true;
  }

  /**
   * Enters the queue of the saga, in which the message keeps its entry until the delivery ends. In a FIFO
   * group it enters behind the messages ahead of it. A message of two sagas, as with handlers of two
   * endpoints, waits for both turns in the queue that it entered first: no message waits in two queues.
   *
   * @param messages the message schemas of the saga, if messages behind this one may follow it in one commit
   * @throws HandledAgain if one ahead of it in its FIFO group was returned
   */
  async enterQueue(
    saga: SagaIdentity,
    messageId: string,
    messages: MessageSchemas | undefined,
    signal: AbortSignal,
  ): Promise<QueueEntry> {
    this.#saga = saga;
    const queue = this.#queues.of(saga);
    if (this.#queueEntry === undefined && this.#order) {
      await this.waitInOrder(messageId, signal, queue);
      this.#order.enter(queue, messages);
    }
    this.#queueEntry ??= queue.enter({ messageId, isInOrder: this.isInOrder });
    if (this.#ended) this.#queueEntry.leave();
    return this.#queueEntry;
  }

  /**
   * Waits for the turn of the message: until no other message of the batch works on the saga.
   *
   * @throws NotStarted when too little time is left by then; HandledAgain as `enterQueue`
   */
  waitForTurn(queueEntry: QueueEntry, request: TurnRequest, signal: AbortSignal): Promise<void> {
    return this.#waitToStart(queueEntry.ask(request), queueEntry.messageId, signal);
  }

  /**
   * Waits until the copies of the message that are ahead of it in the batch have ended.
   *
   * @returns undefined if there is none, as for most messages: nothing is to be awaited
   * @throws as `waitForTurn`
   */
  waitForCopies(messageId: string, signal: AbortSignal): Promise<void> | undefined {
    if (!this.#hasEnteredCopy) this.#copyAhead = this.#queues.enterCopy(messageId, this);
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
   * @param queue messages ahead that wait in this queue need not have ended
   * @throws as `waitForTurn`
   */
  async waitInOrder(messageId: string, signal: AbortSignal, queue?: SagaQueue): Promise<void> {
    if (this.#order) await this.#waitToStart(this.#order.untilEndAhead(queue), messageId, signal);
  }

  async #waitToStart(others: Promise<void>, messageId: string, signal: AbortSignal): Promise<void> {
    try {
      await this.waitFor(others, signal);
    } finally {
      this.#deadline.assertTimeToStart(messageId);
    }
    this.assertInOrder(messageId);
  }

  /** Waits for other messages. @throws the signal's reason */
  async waitFor<T>(others: Promise<T>, signal: AbortSignal): Promise<T> {
    const { remainingMs } = this.#deadline;
    try {
      return await beforeAbort(others, signal);
    } finally {
      // Outside Lambda, Infinity minus Infinity is NaN.
      this.#waitedMs += remainingMs - this.#deadline.remainingMs || 0;
    }
  }

  /** @throws HandledAgain if a message ahead in the FIFO group was returned: this one is returned with it */
  assertInOrder(messageId: string): void {
    if (!this.isStopped) return;
    throw new HandledAgain(messageId, 'a message ahead of it in its FIFO group was returned to the queue');
  }

  /**
   * Lets other messages of the saga go on, unless they have to wait for the next attempt.
   *
   * @returns why the failure does not count: it rests on a state that was not committed or is old, or
   *   messages ahead come first; `undefined` if it counts
   */
  async attemptFailed(
    error: unknown,
    messageId: string,
    result: AttemptResult,
  ): Promise<HandledAgain | undefined> {
    const group = this.#queueEntry?.failed(error);
    if (isHandledAgain(error)) {
      this.#isAlone ||= error.isAlone;
      return error;
    }
    if (group && !(await this.#untilEnd(group.ended))) {
      const reason = 'it failed on a state of its saga that was not committed';
      return new HandledAgain(messageId, reason, { cause: error });
    }
    const { confirmStateIsCurrent } = result;
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
    const { remainingMs } = this.#deadline;
    const result = await this.#deadline.untilGiveUp(() => others).catch(() => false);
    this.#waitedMs += remainingMs - this.#deadline.remainingMs || 0;
    return result;
  }

  /** @param outcome `undefined` if the delivery threw: its record comes back then, too */
  end(outcome?: DeliveryOutcome): void {
    this.#ended = true;
    this.#order?.end(outcome === undefined || comesBack(outcome));
    this.#queueEntry?.leave();
    this.#over?.resolve();
  }
}

import { limits } from '../../kernel/limits.ts';
import type { OutgoingMessage } from '../../messages/message.ts';
import { DISPATCH_CONCURRENCY, type DispatchOptions } from '../dispatch-options.ts';
import { dispatchError, type SendFailure } from './send-failure.ts';

/** The tries of one message, after which the rest of its lane is not sent. */
const MAX_TRIES = 4;

/** The number of messages that the calls of one dispatch hold. */
const MAX_UNDER_WAY = DISPATCH_CONCURRENCY * limits.sendBatchEntries;

/** The next message of a lane: those behind it in the lane wait until it is taken. */
export interface Send {
  /** The lanes of the message's dispatch. */
  readonly lanes: SendLanes;
  readonly message: OutgoingMessage;
  readonly bytes: number;
  readonly lane: readonly OutgoingMessage[];
  readonly index: number;
  /** The number of times that the message was not taken. */
  readonly tries: number;
  /** Whether the message gets a call of its own, as a shared call was refused. */
  readonly isAlone: boolean;
}

/**
 * The messages of one dispatch to one destination, and their progress. They are sent side by side; where an
 * order is kept, those of a group are a lane, in which one is sent after another.
 */
export class SendLanes {
  readonly #bytesOf: (message: OutgoingMessage) => number;
  readonly #options: DispatchOptions;
  readonly #failures: SendFailure[] = [];
  /** Sends that may go now. */
  readonly #ready: Send[] = [];
  /** Sends that were refused through no fault of their own. */
  readonly #refused: Send[] = [];
  #underWay = 0;
  #callFailure: SendFailure | undefined;

  constructor(
    messages: readonly OutgoingMessage[],
    inOrder: boolean,
    bytesOf: (message: OutgoingMessage) => number,
    options: DispatchOptions,
  ) {
    this.#bytesOf = bytesOf;
    this.#options = options;
    const lanes = inOrder
      ? Map.groupBy(messages, ({ messageGroupId }) => messageGroupId).values()
      : messages.map((message) => [message]);
    for (const lane of lanes) this.#goOn(lane, 0);
  }

  get signal(): AbortSignal | undefined {
    return this.#options.signal;
  }

  /**
   * Whether no further call is begun. A call that failed as a whole for a cause that may pass ends the dispatch:
   * the others would most likely fail alike.
   */
  get isOver(): boolean {
    return this.#callFailure !== undefined || this.signal?.aborted === true;
  }

  /** Whether messages are left that are to be sent again, after a delay. */
  get areRefused(): boolean {
    return this.#refused.length > 0 && !this.isOver;
  }

  /** @returns the sends that go now, as far as there is room for them beside those under way */
  next(): readonly Send[] {
    if (this.isOver) return [];
    const sends = this.#ready.splice(0, MAX_UNDER_WAY - this.#underWay);
    this.#underWay += sends.length;
    return sends;
  }

  sendAgain(): void {
    this.#ready.push(...this.#refused.splice(0));
  }

  /** @param send the send to make again at once, in a call of its own */
  sendAlone(send: Send): void {
    this.#underWay -= 1;
    this.#ready.push({ ...send, isAlone: true });
  }

  /** @param failure why the service did not take the message; undefined if it did */
  note(send: Send, failure: SendFailure | undefined): void {
    const { message, lane, index, tries } = send;
    this.#underWay -= 1;
    const { onTaken, onRefused } = this.#options;
    // Nobody waits for the answer any more.
    if (this.signal?.aborted) return;
    if (failure === undefined) {
      onTaken?.([message.id]);
      this.#goOn(lane, index + 1);
    } else if (failure.isFinal || tries + 1 === MAX_TRIES) {
      this.#failures.push(failure);
      onRefused?.(message.id, failure);
    } else {
      this.#refused.push({ ...send, tries: tries + 1, isAlone: false });
    }
  }

  /** @param failure the failure of a whole call, which may pass */
  noteCallFailure(failure: SendFailure): void {
    this.#callFailure ??= failure;
  }

  /** @throws SagaboxError `DispatchFailed` or `DispatchRefused` when a message was not taken */
  assertTaken(destination: string): void {
    if (this.#callFailure) throw dispatchError(destination, [this.#callFailure]);
    if (this.#failures.length > 0) throw dispatchError(destination, this.#failures);
  }

  #goOn(lane: readonly OutgoingMessage[], index: number): void {
    const message = lane[index];
    if (message === undefined) return;
    const bytes = this.#bytesOf(message);
    this.#ready.push({ lanes: this, message, bytes, lane, index, tries: 0, isAlone: false });
  }
}

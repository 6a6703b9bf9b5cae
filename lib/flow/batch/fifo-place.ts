import type { MessageSchemas } from '../../core/handlers/schema.ts';
import type { SagaLine } from '../saga/saga-line.ts';

/**
 * The place of a record in its FIFO group. It starts when the one ahead of it has ended; or before, for it to
 * be handled behind it in one group of their saga. Then it ends with it, if that is returned.
 */
export class FifoPlace {
  readonly #ahead: FifoPlace | undefined;
  readonly #following = Promise.withResolvers<MessageSchemas | undefined>();
  readonly #ended = Promise.withResolvers<void>();
  #line: SagaLine | undefined;
  #hasEnded = false;
  #isReturned = false;

  constructor(ahead: FifoPlace | undefined) {
    this.#ahead = ahead;
  }

  /** Whether a record ahead was returned: this one has to be returned with it, whatever became of it. */
  get isStopped(): boolean {
    return this.#ahead !== undefined && (this.#ahead.#isReturned || this.#ahead.isStopped);
  }

  /** When it has ended, or those behind it may follow: the messages of their saga. */
  get following(): Promise<MessageSchemas | undefined> {
    return this.#following.promise;
  }

  /** When it may start. @param typeOf its message: only one of the saga of those ahead may follow them */
  async untilStart(typeOf: () => string | undefined): Promise<void> {
    const messages = await this.#ahead?.following;
    if (messages && !Object.hasOwn(messages, typeOf() ?? '')) await this.untilEndAhead();
  }

  /** When all records ahead have ended, but for those that wait in this line. */
  async untilEndAhead(line?: SagaLine): Promise<void> {
    for (let place = this.#ahead; place !== undefined; place = place.#ahead) {
      if (line === undefined || place.#line !== line) await place.#ended.promise;
    }
  }

  /** @param messages of the saga whose line it has entered: those behind may follow there */
  enter(line: SagaLine, messages: MessageSchemas | undefined): void {
    this.#line = line;
    if (messages) this.#following.resolve(messages);
  }

  /** @param isReturned whether it comes back to its queue, ahead of those behind it */
  end(isReturned: boolean): void {
    if (this.#hasEnded) return;
    this.#hasEnded = true;
    this.#isReturned = isReturned;
    this.#following.resolve(undefined);
    this.#ended.resolve();
  }
}

import type { MessageSchemas } from '../../core/handlers/schema.ts';
import type { SagaLine } from '../saga/saga-line.ts';

/**
 * The place of a record in its FIFO group. The record starts when the one ahead of it has ended, or earlier
 * if both can be handled in one group of their saga. If the one ahead is returned, this one is returned with
 * it.
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

  /** Whether a record ahead was returned: this one has to be returned with it, whatever its own outcome. */
  get isStopped(): boolean {
    return this.#ahead !== undefined && (this.#ahead.#isReturned || this.#ahead.isStopped);
  }

  /** Resolves when the record has ended, or those behind may follow: to the messages of their saga. */
  get following(): Promise<MessageSchemas | undefined> {
    return this.#following.promise;
  }

  /** Waits until the record may start. @param typeOf its type: only messages of the saga ahead may follow */
  async untilStart(typeOf: () => string | undefined): Promise<void> {
    const messages = await this.#ahead?.following;
    if (messages && !Object.hasOwn(messages, typeOf() ?? '')) await this.untilEndAhead();
  }

  /** Waits until all records ahead have ended, except for those that wait in `line`. */
  async untilEndAhead(line?: SagaLine): Promise<void> {
    for (let place = this.#ahead; place !== undefined; place = place.#ahead) {
      if (line === undefined || place.#line !== line) await place.#ended.promise;
    }
  }

  /** @param messages the messages of the saga in whose line those behind may follow */
  enter(line: SagaLine, messages: MessageSchemas | undefined): void {
    this.#line = line;
    if (messages) this.#following.resolve(messages);
  }

  /** @param isReturned whether the record comes back to its queue, ahead of those behind it */
  end(isReturned: boolean): void {
    if (this.#hasEnded) return;
    this.#hasEnded = true;
    this.#isReturned = isReturned;
    this.#following.resolve(undefined);
    this.#ended.resolve();
  }
}

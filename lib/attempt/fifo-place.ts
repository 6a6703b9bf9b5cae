import type { MessageSchemas } from '../messages/schema.ts';
import type { SagaQueue } from './saga-queue/saga-queue.ts';

/**
 * The place of a record in its FIFO group. The record starts when the one ahead of it has ended, or earlier
 * if both can be handled in one group of their saga. If the one ahead is returned, this one is returned with
 * it.
 */
export class FifoPlace {
  readonly #ahead: FifoPlace | undefined;
  readonly #following = Promise.withResolvers<MessageSchemas | undefined>();
  readonly #ended = Promise.withResolvers<void>();
  #queue: SagaQueue | undefined;
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

  /** Waits until all records ahead have ended, except for those that wait in `queue`. */
  async untilEndAhead(queue?: SagaQueue): Promise<void> {
    for (let place = this.#ahead; place !== undefined; place = place.#ahead) {
      if (queue === undefined || place.#queue !== queue) await place.#ended.promise;
    }
  }

  /** @param messages the messages of the saga in whose queue those behind may follow */
  enter(queue: SagaQueue, messages: MessageSchemas | undefined): void {
    this.#queue = queue;
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

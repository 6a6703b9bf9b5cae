import type { Clock } from '../kernel/clock.ts';
import { isCancellation, type OutgoingMessage, type OutgoingOperation } from '../messages/message.ts';
import type { DispatchOptions } from '../sending/dispatch-options.ts';
import type { Dispatcher } from '../sending/dispatcher.ts';
import { type RequestedTimeout, separateTimeouts } from './delivery-result.ts';

/** Keeps what is sent: timeouts until they are fired, the others for the test to see. */
export class TestDispatcher implements Dispatcher {
  readonly outgoing: OutgoingMessage[] = [];
  readonly #timeouts = new Set<RequestedTimeout>();
  readonly #endpoint: string;
  readonly #clock: Pick<Clock, 'now'>;

  constructor(endpoint: string, clock: Pick<Clock, 'now'>) {
    this.#endpoint = endpoint;
    this.#clock = clock;
  }

  async dispatch(operations: readonly OutgoingOperation[], { onTaken }: DispatchOptions = {}): Promise<void> {
    const { outgoing, timeouts } = separateTimeouts(operations, this.#endpoint, this.#clock.now());
    this.outgoing.push(...outgoing);
    for (const timeout of timeouts) this.#timeouts.add(timeout);
    const cancelled = new Set(operations.filter(isCancellation).map(({ cancels }) => cancels));
    for (const timeout of this.#timeouts) if (cancelled.has(timeout.id)) this.#timeouts.delete(timeout);
    onTaken?.(operations.map(({ id }) => id));
  }

  /** The earliest first; of those due at one time, the one requested first. */
  get timeouts(): RequestedTimeout[] {
    return [...this.#timeouts].toSorted((a, b) => a.dueAt.getTime() - b.dueAt.getTime());
  }

  fired(timeout: RequestedTimeout): void {
    this.#timeouts.delete(timeout);
  }
}

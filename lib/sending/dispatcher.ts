import type { Destination } from '../messages/destinations/destination.ts';
import type { OutgoingMessage, OutgoingOperation } from '../messages/message.ts';
import type { DispatchOptions } from './dispatch-options.ts';

export interface Dispatcher {
  /**
   * @throws SagaboxError `DispatchFailed`, `DispatchRefused`; the reason of the signal once that is aborted
   */
  dispatch(operations: readonly OutgoingOperation[], options?: DispatchOptions): Promise<void>;
}

/** The way out to destinations of one kind. */
export interface Transport {
  /** @throws as {@link Dispatcher.dispatch} does */
  send(messages: readonly OutgoingMessage[], to: Destination, options?: DispatchOptions): Promise<void>;
}

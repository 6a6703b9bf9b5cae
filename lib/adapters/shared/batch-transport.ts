import { settleAll } from '../../core/async/settle.ts';
import type { OutgoingMessage } from '../../core/incoming/message.ts';
import {
  type Destination,
  type Destinations,
  firstNameOf,
  isFifo,
  unknownDestination,
} from '../../core/outgoing/destination.ts';
import type { DispatchOptions } from '../../core/outgoing/dispatch-options.ts';
import type { Clock, Transport } from '../../ports.ts';
import type { SendBatcher } from './send-batcher.ts';
import { sendInRounds } from './send-rounds.ts';

export interface BatchTransportOptions<To extends Destination> {
  batcher: SendBatcher<To>;
  destinations: Destinations;
  clock: Clock;
  /** From 0 up to 1; `Math.random` by default. */
  random?: () => number;
}

/**
 * Sends to destinations of one kind, side by side, and to FIFO queues and topics in the order of each group.
 */
export class BatchTransport<To extends Destination> implements Transport {
  readonly #options: BatchTransportOptions<To>;

  constructor(options: BatchTransportOptions<To>) {
    this.#options = options;
  }

  async dispatch(messages: readonly OutgoingMessage[], options?: DispatchOptions): Promise<void> {
    const { destinations } = this.#options;
    const byName = Map.groupBy(messages, ({ destination }) => firstNameOf(destination, destinations));
    await settleAll([...byName].map(([name, sent]) => this.#dispatchTo(name, sent, options)));
  }

  async #dispatchTo(
    name: string,
    messages: readonly OutgoingMessage[],
    options: DispatchOptions | undefined,
  ): Promise<void> {
    const { batcher, destinations, clock, random = Math.random } = this.#options;
    const { kind, destinationErrors, messageErrors, load } = batcher.service;
    const destination = destinations.get(name);
    if (!isOfKind(destination, kind)) throw unknownDestination(name, destinations);
    await load?.();
    const sending = {
      destination: name,
      inOrder: isFifo(destination),
      finalErrors: new Set([...destinationErrors, ...messageErrors]),
      send: (message: OutgoingMessage, signal?: AbortSignal) => batcher.send(message, destination, signal),
      sleep: (durationMs: number, signal?: AbortSignal) => clock.sleep(durationMs, signal),
      random,
    };
    await sendInRounds(messages, sending, options);
  }
}

function isOfKind<To extends Destination>(
  destination: Destination | undefined,
  kind: To['kind'],
): destination is To {
  return destination?.kind === kind;
}

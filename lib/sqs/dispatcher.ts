import { type Destinations, type QueueDestination, unknownDestination } from '../core/destination.ts';
import { SagaboxError } from '../core/errors.ts';
import type { OutgoingMessage } from '../core/message.ts';
import { settleAll } from '../core/settle.ts';
import type { Clock, Transport } from '../ports.ts';
import { type Entry, toEntry } from './entries.ts';
import type { SendBatcher } from './send-batcher.ts';
import { batchesOf } from './send-batches.ts';

const MAXIMUM_ROUNDS = 4;
const BASE_DELAY_MS = 50;

export interface SqsDispatcherOptions {
  sends: SendBatcher;
  destinations: Destinations;
  clock: Clock;
}

/** Sends to SQS queues: the destinations side by side, the messages of one destination in their order. */
export class SqsDispatcher implements Transport {
  readonly #options: SqsDispatcherOptions;

  constructor(options: SqsDispatcherOptions) {
    this.#options = options;
  }

  async dispatch(messages: readonly OutgoingMessage[]): Promise<void> {
    const byDestination = Map.groupBy(messages, ({ destination }) => destination);
    await settleAll([...byDestination].map(([name, ofQueue]) => this.#dispatchTo(name, ofQueue)));
  }

  async #dispatchTo(name: string, messages: readonly OutgoingMessage[]): Promise<void> {
    const destination = this.#options.destinations.get(name);
    if (destination?.kind !== 'queue') throw unknownDestination(name, this.#options.destinations);
    const failures: SendFailure[] = [];
    for (const batch of batchesOf(messages)) {
      failures.push(...(await this.#sendBatch(destination, batch)));
      // What stands behind a failed message of a FIFO queue waits for it; a standard queue knows no order to keep.
      if (failures.length > 0 && destination.fifo) break;
    }
    if (failures.length > 0) throw dispatchError(name, failures);
  }

  /** SQS takes or refuses each entry by itself; those that it refused through no fault of theirs are sent again. */
  async #sendBatch(destination: QueueDestination, batch: readonly OutgoingMessage[]): Promise<SendFailure[]> {
    const { clock } = this.#options;
    const refused: SendFailure[] = [];
    let pending = batch.map((message, index) => toEntry(message, destination, index));
    for (let round = 1; ; round += 1) {
      const failed = await this.#send(destination, pending);
      refused.push(...failed.filter((failure) => failure.isFinal));
      const passing = failed.filter((failure) => !failure.isFinal);
      if (passing.length === 0 || round === MAXIMUM_ROUNDS) return [...refused, ...passing];
      const passingIds = new Set(passing.map((failure) => failure.entryId));
      pending = pending.filter((entry) => passingIds.has(entry.Id));
      await clock.sleep(BASE_DELAY_MS * 2 ** round);
    }
  }

  async #send(destination: QueueDestination, entries: readonly Entry[]): Promise<SendFailure[]> {
    const { name: destinationName, queueUrl } = destination;
    try {
      const failed = await this.#options.sends.send({ queueUrl, entries });
      return failed.map(({ Id, Code, Message, SenderFault }) => ({
        entryId: Id,
        isFinal: SenderFault === true,
        detail: `${Code ?? 'unknown'}: ${Message ?? 'no message'}`,
      }));
    } catch (error) {
      const { name, message } = error as Error;
      throw dispatchError(
        destinationName,
        [{ entryId: undefined, isFinal: finalErrors.has(name), detail: `${name}: ${message}` }],
        error,
      );
    }
  }
}

interface SendFailure {
  readonly entryId: string | undefined;
  /** Whether it fails again however often it is sent. */
  readonly isFinal: boolean;
  readonly detail: string;
}

/** Errors of a whole call that no retry helps. Source: "SendMessageBatch" and "Common errors" in the Amazon SQS API Reference. */
const finalErrors = new Set([
  'QueueDoesNotExist',
  'AccessDenied',
  'AccessDeniedException',
  'InvalidSecurity',
]);

function dispatchError(destination: string, failures: readonly SendFailure[], cause?: unknown): SagaboxError {
  const code = failures.every((failure) => failure.isFinal) ? 'DispatchRefused' : 'DispatchFailed';
  return new SagaboxError(code, { destination, failures: failures.map(({ detail }) => detail) }, { cause });
}

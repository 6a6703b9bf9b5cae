import type { BatchResultErrorEntry } from '@aws-sdk/client-sqs';
import { settleAll } from '../../core/async/settle.ts';
import type { OutgoingMessage } from '../../core/incoming/message.ts';
import { type Destinations, firstNameOf, unknownDestination } from '../../core/outgoing/destination.ts';
import type { DispatchOptions } from '../../core/outgoing/dispatch-options.ts';
import type { Clock, Transport } from '../../ports.ts';
import { type BatchSending, type EntryFailure, sendBatches } from '../shared/send-rounds.ts';
import { toEntry } from './entries.ts';
import type { SendBatcher } from './send-batcher.ts';
import { batchesOf } from './send-batches.ts';

/**
 * Errors of a whole call that no retry helps. Source: "SendMessageBatch" and "Common errors" in the Amazon
 * SQS API Reference.
 */
const finalErrors = new Set([
  'QueueDoesNotExist',
  'AccessDenied',
  'AccessDeniedException',
  'InvalidSecurity',
  'BatchRequestTooLong',
  'InvalidMessageContents',
  'UnsupportedOperation',
  'KmsAccessDenied',
  'KmsDisabled',
  'KmsNotFound',
  'KmsOptInRequired',
]);

export interface SqsDispatcherOptions {
  sends: SendBatcher;
  destinations: Destinations;
  clock: Clock;
  /**
   * From 0 up to 1.
   *
   * @default Math.random
   */
  random?: () => number;
}

/**
 * Sends to SQS queues: the queues side by side, and so the batches of a standard queue; those of a FIFO queue
 * in their order.
 */
export class SqsDispatcher implements Transport {
  readonly #options: SqsDispatcherOptions;

  constructor(options: SqsDispatcherOptions) {
    this.#options = options;
  }

  async dispatch(messages: readonly OutgoingMessage[], options?: DispatchOptions): Promise<void> {
    const { destinations } = this.#options;
    const byQueue = Map.groupBy(messages, ({ destination }) => firstNameOf(destination, destinations));
    await settleAll([...byQueue].map(([name, ofQueue]) => this.#dispatchTo(name, ofQueue, options)));
  }

  async #dispatchTo(
    name: string,
    messages: readonly OutgoingMessage[],
    options: DispatchOptions | undefined,
  ): Promise<void> {
    const { destinations, clock, sends, random = Math.random } = this.#options;
    const queue = destinations.get(name);
    if (queue?.kind !== 'queue') throw unknownDestination(name, destinations);
    const sending: BatchSending = {
      destination: name,
      inOrder: queue.fifo,
      finalErrors,
      send: async (batch, signal) => {
        const entries = batch.map((message, index) => toEntry(message, queue, index));
        return (await sends.send({ queueUrl: queue.queueUrl, entries, signal })).map(toFailure);
      },
      sleep: (durationMs, signal) => clock.sleep(durationMs, signal),
      random,
    };
    await sendBatches(batchesOf(messages, queue.fifo), sending, options);
  }
}

function toFailure({ Id, Code, Message, SenderFault }: BatchResultErrorEntry): EntryFailure {
  return {
    index: Number(Id),
    isFinal: SenderFault === true,
    detail: `${Code ?? 'unknown'}: ${Message ?? 'no message'}`,
  };
}

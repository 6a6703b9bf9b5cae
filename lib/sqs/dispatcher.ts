import type { BatchResultErrorEntry } from '@aws-sdk/client-sqs';
import { type Destinations, firstNameOf, unknownDestination } from '../core/destination.ts';
import type { OutgoingMessage } from '../core/message.ts';
import { type EntryFailure, sendBatches } from '../core/send-rounds.ts';
import { settleAll } from '../core/settle.ts';
import type { Clock, Transport } from '../ports.ts';
import { toEntry } from './entries.ts';
import type { SendBatcher } from './send-batcher.ts';
import { batchesOf } from './send-batches.ts';

/** Errors of a whole call that no retry helps. Source: "SendMessageBatch" and "Common errors" in the Amazon SQS API Reference. */
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
}

/** Sends to SQS queues: the queues side by side, the messages of one queue in their order. */
export class SqsDispatcher implements Transport {
  readonly #options: SqsDispatcherOptions;

  constructor(options: SqsDispatcherOptions) {
    this.#options = options;
  }

  async dispatch(messages: readonly OutgoingMessage[]): Promise<void> {
    const { destinations } = this.#options;
    const byQueue = Map.groupBy(messages, ({ destination }) => firstNameOf(destination, destinations));
    await settleAll([...byQueue].map(([name, ofQueue]) => this.#dispatchTo(name, ofQueue)));
  }

  async #dispatchTo(name: string, messages: readonly OutgoingMessage[]): Promise<void> {
    const { destinations, clock, sends } = this.#options;
    const queue = destinations.get(name);
    if (queue?.kind !== 'queue') throw unknownDestination(name, destinations);
    await sendBatches(batchesOf(messages, queue.fifo), {
      destination: name,
      inOrder: queue.fifo,
      finalErrors,
      send: async (batch) => {
        const entries = batch.map((message, index) => toEntry(message, queue, index));
        return (await sends.send({ queueUrl: queue.queueUrl, entries })).map(toFailure);
      },
      sleep: (durationMs) => clock.sleep(durationMs),
    });
  }
}

function toFailure({ Id, Code, Message, SenderFault }: BatchResultErrorEntry): EntryFailure {
  return {
    index: Number(Id),
    isFinal: SenderFault === true,
    detail: `${Code ?? 'unknown'}: ${Message ?? 'no message'}`,
  };
}

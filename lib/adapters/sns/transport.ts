import type { PublishBatchCommandOutput } from '@aws-sdk/client-sns';
import { settleAll } from '../../core/async/settle.ts';
import type { OutgoingMessage } from '../../core/incoming/message.ts';
import { limits } from '../../core/limits.ts';
import { type Destinations, firstNameOf, unknownDestination } from '../../core/outgoing/destination.ts';
import type { DispatchOptions } from '../../core/outgoing/dispatch-options.ts';
import { wireBytes } from '../../core/wire-format/wire.ts';
import type { Clock, Transport } from '../../ports.ts';
import { messageBatches } from '../shared/message-batches.ts';
import type { SdkClient } from '../shared/sdk-client.ts';
import { type BatchSending, type EntryFailure, sendBatches } from '../shared/send-rounds.ts';
import { toEntry } from './entries.ts';
import { loadSnsSdk } from './sdk.ts';

const batchLimits = {
  maxEntries: limits.sendBatchEntries,
  maxBytes: limits.topicBatchBytes,
  bytesOf: wireBytes,
} as const;

/**
 * Errors of a whole call that no retry helps. Source: "PublishBatch" and "Common errors" in the Amazon SNS
 * API Reference.
 */
const finalErrors = new Set([
  'NotFoundException',
  'AuthorizationErrorException',
  'InvalidParameterException',
  'InvalidParameterValueException',
  'InvalidSecurityException',
  'ValidationException',
  'AccessDeniedException',
  'BatchRequestTooLongException',
  'KMSAccessDeniedException',
  'KMSDisabledException',
  'KMSNotFoundException',
  'KMSOptInRequired',
]);

export interface SnsTransportOptions {
  /** Called when there is something to send. */
  loadClient: () => Promise<SdkClient>;
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
 * Publishes to SNS topics: the topics side by side, and so the batches of a standard topic; those of a FIFO
 * topic in their order.
 */
export class SnsTransport implements Transport {
  readonly #options: SnsTransportOptions;

  constructor(options: SnsTransportOptions) {
    this.#options = options;
  }

  async dispatch(messages: readonly OutgoingMessage[], options?: DispatchOptions): Promise<void> {
    const { destinations } = this.#options;
    const byTopic = Map.groupBy(messages, ({ destination }) => firstNameOf(destination, destinations));
    await settleAll([...byTopic].map(([name, ofTopic]) => this.#dispatchTo(name, ofTopic, options)));
  }

  async #dispatchTo(
    name: string,
    messages: readonly OutgoingMessage[],
    options: DispatchOptions | undefined,
  ): Promise<void> {
    const { destinations, clock, loadClient, random = Math.random } = this.#options;
    const topic = destinations.get(name);
    if (topic?.kind !== 'topic') throw unknownDestination(name, destinations);
    const [client, { PublishBatchCommand }] = await settleAll([loadClient(), loadSnsSdk()]);
    const batches = messageBatches(messages, { ...batchLimits, inOrder: topic.fifo });
    const sending: BatchSending = {
      destination: name,
      inOrder: topic.fifo,
      finalErrors,
      send: async (batch, abortSignal) => {
        const entries = batch.map((message, index) => toEntry(message, topic, index));
        const command = new PublishBatchCommand({
          TopicArn: topic.topicArn,
          PublishBatchRequestEntries: entries,
        });
        return failuresOf((await client.send(command, { abortSignal })) as PublishBatchCommandOutput);
      },
      sleep: (durationMs, signal) => clock.sleep(durationMs, signal),
      random,
    };
    await sendBatches(batches, sending, options);
  }
}

function failuresOf({ Failed: failed = [] }: PublishBatchCommandOutput): EntryFailure[] {
  return failed.map(({ Id, Code, Message, SenderFault }) => ({
    index: Number(Id),
    isFinal: SenderFault === true,
    detail: `${Code ?? 'unknown'}: ${Message ?? 'no message'}`,
  }));
}

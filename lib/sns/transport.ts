import type { PublishBatchCommandOutput } from '@aws-sdk/client-sns';
import { type Destinations, firstNameOf, unknownDestination } from '../core/destination.ts';
import { limits } from '../core/limits.ts';
import type { OutgoingMessage } from '../core/message.ts';
import { messageBatches } from '../core/message-batches.ts';
import type { SdkClient } from '../core/sdk-client.ts';
import { type EntryFailure, sendBatches } from '../core/send-rounds.ts';
import { settleAll } from '../core/settle.ts';
import { wireBytes } from '../core/wire.ts';
import type { Clock, Transport } from '../ports.ts';
import { toEntry } from './entries.ts';
import { loadSnsSdk } from './sdk.ts';

const batchLimits = {
  maximumEntries: limits.sendBatchEntries,
  maximumBytes: limits.topicBatchBytes,
  bytesOf: wireBytes,
} as const;

/** Errors of a whole call that no retry helps. Source: "PublishBatch" and "Common errors" in the Amazon SNS API Reference. */
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
}

/** Publishes to SNS topics: the topics side by side, the messages of one topic in their order. */
export class SnsTransport implements Transport {
  readonly #options: SnsTransportOptions;

  constructor(options: SnsTransportOptions) {
    this.#options = options;
  }

  async dispatch(messages: readonly OutgoingMessage[]): Promise<void> {
    const { destinations } = this.#options;
    const byTopic = Map.groupBy(messages, ({ destination }) => firstNameOf(destination, destinations));
    await settleAll([...byTopic].map(([name, ofTopic]) => this.#dispatchTo(name, ofTopic)));
  }

  async #dispatchTo(name: string, messages: readonly OutgoingMessage[]): Promise<void> {
    const { destinations, clock, loadClient } = this.#options;
    const topic = destinations.get(name);
    if (topic?.kind !== 'topic') throw unknownDestination(name, destinations);
    const [client, { PublishBatchCommand }] = await settleAll([loadClient(), loadSnsSdk()]);
    await sendBatches(messageBatches(messages, { ...batchLimits, inOrder: topic.fifo }), {
      destination: name,
      inOrder: topic.fifo,
      finalErrors,
      send: async (batch) => {
        const entries = batch.map((message, index) => toEntry(message, topic, index));
        const command = new PublishBatchCommand({
          TopicArn: topic.topicArn,
          PublishBatchRequestEntries: entries,
        });
        return failuresOf((await client.send(command)) as PublishBatchCommandOutput);
      },
      sleep: (durationMs) => clock.sleep(durationMs),
    });
  }
}

function failuresOf({ Failed: failed = [] }: PublishBatchCommandOutput): EntryFailure[] {
  return failed.map(({ Id, Code, Message, SenderFault }) => ({
    index: Number(Id),
    isFinal: SenderFault === true,
    detail: `${Code ?? 'unknown'}: ${Message ?? 'no message'}`,
  }));
}

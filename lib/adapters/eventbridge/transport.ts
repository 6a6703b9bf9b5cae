import type { PutEventsCommandOutput } from '@aws-sdk/client-eventbridge';
import { settleAll } from '../../core/async/settle.ts';
import type { OutgoingMessage } from '../../core/incoming/message.ts';
import { limits } from '../../core/limits.ts';
import { type Destinations, unknownDestination } from '../../core/outgoing/destination.ts';
import type { DispatchOptions } from '../../core/outgoing/dispatch-options.ts';
import { eventBytes, eventSource } from '../../core/wire-format/event-detail.ts';
import type { Clock, Transport } from '../../ports.ts';
import { messageBatches } from '../shared/message-batches.ts';
import type { SdkClient } from '../shared/sdk-client.ts';
import { type BatchSending, type EntryFailure, sendBatches } from '../shared/send-rounds.ts';
import { toEntry } from './entries.ts';
import { loadEventBridgeSdk } from './sdk.ts';

/**
 * Errors of a whole call that no retry helps. Source: "PutEvents" and "Common errors" in the Amazon
 * EventBridge API Reference.
 */
const finalErrors = new Set([
  'AccessDeniedException',
  'NotAuthorized',
  'OperationDisabledException',
  'ResourceNotFoundException',
  'ValidationException',
  'ValidationError',
]);

/**
 * Failures of one entry that may pass. Source: "PutEventsResultEntry" in the Amazon EventBridge API
 * Reference.
 */
const passingEntryErrors = new Set([
  'ThrottlingException',
  'InternalFailure',
  'InternalException',
  'ServiceUnavailable',
]);

export interface EventBridgeTransportOptions {
  /** The endpoint that sends: the source of its events. */
  endpoint: string;
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
 * Puts events on event buses: buses and batches side by side. EventBridge keeps no order; and what is put on
 * a bus that does not exist it takes, and drops.
 */
export class EventBridgeTransport implements Transport {
  readonly #options: EventBridgeTransportOptions;

  constructor(options: EventBridgeTransportOptions) {
    this.#options = options;
  }

  async dispatch(messages: readonly OutgoingMessage[], options?: DispatchOptions): Promise<void> {
    const byDestination = Map.groupBy(messages, ({ destination }) => destination);
    await settleAll([...byDestination].map(([name, ofBus]) => this.#dispatchTo(name, ofBus, options)));
  }

  async #dispatchTo(
    name: string,
    messages: readonly OutgoingMessage[],
    options: DispatchOptions | undefined,
  ): Promise<void> {
    const { destinations, clock, loadClient, endpoint, random = Math.random } = this.#options;
    const bus = destinations.get(name);
    if (bus?.kind !== 'eventBus') throw unknownDestination(name, destinations);
    const source = eventSource(endpoint);
    const [client, { PutEventsCommand }] = await settleAll([loadClient(), loadEventBridgeSdk()]);
    const batches = messageBatches(messages, {
      maxEntries: limits.sendBatchEntries,
      maxBytes: limits.eventBatchBytes,
      inOrder: false,
      bytesOf: (message) => eventBytes(message, source),
    });
    const sending: BatchSending = {
      destination: name,
      inOrder: false,
      finalErrors,
      send: async (batch, abortSignal) => {
        const entries = batch.map((message) => toEntry(message, bus, source));
        const output = await client.send(new PutEventsCommand({ Entries: entries }), { abortSignal });
        return failuresOf(output as PutEventsCommandOutput);
      },
      sleep: (durationMs, signal) => clock.sleep(durationMs, signal),
      random,
    };
    await sendBatches(batches, sending, options);
  }
}

/** The results stand in the order of the entries. */
function failuresOf({ Entries: results = [] }: PutEventsCommandOutput): EntryFailure[] {
  return results.flatMap(({ ErrorCode: code, ErrorMessage: message }, index) => {
    if (code === undefined) return [];
    return [{ index, isFinal: !passingEntryErrors.has(code), detail: `${code}: ${message ?? 'no message'}` }];
  });
}

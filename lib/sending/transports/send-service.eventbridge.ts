import type {
  PutEventsCommandOutput,
  PutEventsRequestEntry,
  PutEventsResultEntry,
} from '@aws-sdk/client-eventbridge';
import { settleAll } from '../../kernel/async/settle.ts';
import type { SdkClient } from '../../kernel/calls/sdk-client.ts';
import { limits } from '../../kernel/limits.ts';
import type { EventBusDestination } from '../../messages/destinations/destination.ts';
import { headerNames } from '../../messages/headers.ts';
import type { DispatchedMessage } from '../../messages/message.ts';
import { eventBytes, eventDetail, eventSource } from '../../messages/wire-format/event-detail.ts';
import { wireJson } from '../../messages/wire-format/wire-json.ts';
import { loadEventBridgeSdk } from './sdk.eventbridge.ts';
import type { EntryFailure, SendService } from './send-service.ts';

/**
 * Returns the service of EventBridge. It keeps no order, and takes and drops what is put on a bus that does
 * not exist. Source of the errors: "PutEvents" and "Common errors" in the Amazon EventBridge API Reference.
 *
 * @param endpoint the endpoint that sends: the source of its events
 */
export function eventBridgeService(
  endpoint: string,
  loadClient: () => Promise<SdkClient>,
): SendService<EventBusDestination> {
  const source = eventSource(endpoint);
  const load = () => settleAll([loadClient(), loadEventBridgeSdk()]);
  return {
    maxBytes: limits.eventBatchBytes,
    bytesOf: (message) => eventBytes(message, source),
    destinationErrors: new Set([
      'AccessDeniedException',
      'NotAuthorized',
      'OperationDisabledException',
      'ResourceNotFoundException',
    ]),
    messageErrors: new Set(['ValidationException', 'ValidationError']),
    load,
    call: async (messages, bus, abortSignal) => {
      const [client, { PutEventsCommand }] = await load();
      const Entries = messages.map((message) => toEntry(message, bus, source));
      const output = await client.send(new PutEventsCommand({ Entries }), { abortSignal });
      return failuresOf((output as PutEventsCommandOutput).Entries ?? []);
    },
  };
}

/** A message as an entry of PutEvents. */
function toEntry(
  message: DispatchedMessage,
  { eventBusArn }: EventBusDestination,
  source: string,
): PutEventsRequestEntry {
  const sentAt = new Date(message.headers[headerNames.sentAt] ?? Number.NaN);
  return {
    EventBusName: eventBusArn,
    Source: source,
    DetailType: message.type,
    Detail: wireJson(eventDetail(message)),
    ...(message.awsTraceHeader !== undefined && { TraceHeader: message.awsTraceHeader }),
    ...(!Number.isNaN(sentAt.getTime()) && { Time: sentAt }),
  };
}

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

/** @param results in the order of the entries */
function failuresOf(results: readonly PutEventsResultEntry[]): EntryFailure[] {
  return results.flatMap(({ ErrorCode: code, ErrorMessage: message }, index) => {
    if (code === undefined) return [];
    return [{ index, isFinal: !passingEntryErrors.has(code), detail: `${code}: ${message ?? 'no message'}` }];
  });
}

import type { PutEventsRequestEntry } from '@aws-sdk/client-eventbridge';
import { headerNames } from '../../core/incoming/headers.ts';
import type { OutgoingMessage } from '../../core/incoming/message.ts';
import type { EventBusDestination } from '../../core/outgoing/destination.ts';
import { eventDetail } from '../../core/wire-format/event-detail.ts';

/** A message as an entry of PutEvents. */
export function toEntry(
  message: OutgoingMessage,
  { eventBusArn }: EventBusDestination,
  source: string,
): PutEventsRequestEntry {
  const sentAt = new Date(message.headers[headerNames.sentAt] ?? Number.NaN);
  return {
    EventBusName: eventBusArn,
    Source: source,
    DetailType: message.type,
    Detail: JSON.stringify(eventDetail(message)),
    ...(Number.isNaN(sentAt.getTime()) ? {} : { Time: sentAt }),
  };
}

import { type Refuse, stringOrKind } from '../messages/contracts/refusal.ts';
import type { Destination } from '../messages/destinations/destination.ts';
import { headerNames } from '../messages/headers.ts';
import type { OutgoingMessage } from '../messages/message.ts';
import { delayFor } from './delay.ts';
import { assertSendable, assertUserHeaders, detachBody, detachOptions } from './outgoing.ts';
import { messageFormats, type Sending } from './sending.ts';
import type { SendOptions } from './unit-of-work-context.ts';

type Headers = Readonly<Record<string, string>>;

export interface MessageParts {
  readonly id: string;
  readonly type: string;
  readonly body: unknown;
  readonly options: SendOptions | null | undefined;
  /** Returns all headers of the message, with those that its sender gives. */
  readonly headersWith: (given: Headers) => Headers;
  /** The message group on a FIFO queue or topic, unless the options have one. */
  readonly groupId?: string | undefined;
}

/**
 * Returns a message as it is kept until it is sent, detached from what its sender gave.
 *
 * @param refuse called for a message that its transport would refuse
 */
export function composeMessage(
  { id, type, body, options, headersWith, groupId }: MessageParts,
  destination: Destination,
  sending: Sending,
  now: Date,
  refuse: Refuse,
): OutgoingMessage {
  const {
    headers = {},
    messageGroupId = groupId,
    format = sending.format,
    delay,
  } = detachOptions(options, sendOptions, refuse);
  assertUserHeaders(headers, refuse);
  if (!messageFormats.includes(format))
    refuse(`its format is ${JSON.stringify(stringOrKind(format))}, none of ${messageFormats.join(', ')}`);
  const message: OutgoingMessage = {
    id,
    destination: destination.name,
    type,
    body: detachBody(body, refuse),
    headers: headersWith(headers),
    ...delayFor(delay, destination, sending, now, refuse),
    ...(messageGroupId === undefined ? {} : { messageGroupId }),
    ...(format === 'plain' ? {} : { format }),
    ...(headerNames.traceParent in headers ? { hasCreationContext: true } : {}),
  };
  assertSendable(message, destination, sending, refuse);
  return message;
}

const sendOptions = ['headers', 'messageGroupId', 'format', 'delay'] as const;

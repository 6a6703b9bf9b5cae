import { headerNames } from '../headers.ts';
import type { JsonValue, OutgoingMessage } from '../message.ts';

const OWN_SOURCE_PREFIX = 'urn:sagabox:endpoint:';

/** Our headers as extension attributes, whose names have only small letters and digits. */
const commonExtensions = {
  [headerNames.conversationId]: 'conversationid',
  [headerNames.causationId]: 'causationid',
  [headerNames.correlationId]: 'correlationid',
  [headerNames.saga]: 'saga',
  [headerNames.sagaVersion]: 'sagaversion',
  [headerNames.traceParent]: 'traceparent',
} as const;

/** These steer what becomes of a message: in events of others, whatever is called so means something else. */
const ownExtensions = {
  [headerNames.replyTo]: 'replyto',
  [headerNames.timeout]: 'sagaboxtimeout',
  [headerNames.claimCheck]: 'sagaboxclaimcheck',
} as const;

/** A header may have any name, that of what every object inherits too. */
const extensionNames: ReadonlyMap<string, string> = new Map(
  Object.entries({ ...commonExtensions, ...ownExtensions }),
);

/** Which of our headers an extension attribute of an event is: of one of ours, or of another's. */
export function headerOfExtension(extension: string, isOurs: boolean): string | undefined {
  const known = isOurs ? extensionNames : Object.entries(commonExtensions);
  return [...known].find(([, name]) => name === extension)?.[0];
}

export function isOwnSource(source: string): boolean {
  return source.startsWith(OWN_SOURCE_PREFIX);
}

/** Of the events that an endpoint sends. */
export function sourceOf(endpoint: string): string {
  return `${OWN_SOURCE_PREFIX}${encodeURIComponent(endpoint)}`;
}

/** Attributes that are no headers of ours, and no extensions. */
const contextAttributes = new Set([
  'specversion',
  'id',
  'source',
  'type',
  'subject',
  'time',
  'datacontenttype',
  'dataschema',
  'data',
]);

/**
 * A message as a CloudEvent in structured mode. Headers of a user's own become extension attributes where
 * their names allow it. Source: "CloudEvents - Version 1.0.2" and its "JSON Event Format".
 */
export function cloudEvent({ id, type, headers, body }: OutgoingMessage): { [name: string]: JsonValue } {
  const { [headerNames.sentAt]: time, ...others } = headers;
  const extensions: Record<string, string> = {};
  for (const [name, value] of Object.entries(others)) {
    const extension = extensionNames.get(name) ?? name;
    if (isExtensionName(extension)) extensions[extension] = value;
  }
  return {
    specversion: '1.0',
    id,
    source: sourceOf(headers[headerNames.replyTo] ?? ''),
    type,
    ...(time === undefined ? {} : { time }),
    datacontenttype: 'application/json',
    ...extensions,
    data: body,
  };
}

export function isExtensionName(name: string): boolean {
  return /^[a-z0-9]{1,20}$/.test(name) && !contextAttributes.has(name);
}

/** Whether a header of a user's own would be read as one of ours. */
export function isReservedExtension(name: string): boolean {
  return name !== headerNames.traceParent && [...extensionNames.values()].includes(name);
}

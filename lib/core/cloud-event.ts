import { headerNames } from './headers.ts';
import type { JsonValue, OutgoingMessage } from './message.ts';

/** Message ids of these sources are unique by themselves; those of all others only together with their source. */
export const OWN_SOURCE_PREFIX = 'urn:sagabox:endpoint:';

/** Our headers as extension attributes, whose names have only small letters and digits. */
export const extensionNames = {
  [headerNames.conversationId]: 'conversationid',
  [headerNames.causationId]: 'causationid',
  [headerNames.correlationId]: 'correlationid',
  [headerNames.saga]: 'saga',
  [headerNames.replyTo]: 'replyto',
  [headerNames.timeout]: 'timeout',
  [headerNames.claimCheck]: 'claimcheck',
  [headerNames.traceParent]: 'traceparent',
} as const;

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
 * A message as a CloudEvent in structured mode. Headers of a user's own become extension attributes where their names allow
 * it. Source: "CloudEvents - Version 1.0.2" and its "JSON Event Format".
 */
export function cloudEvent({ id, type, headers, body }: OutgoingMessage): { [name: string]: JsonValue } {
  const { [headerNames.sentAt]: time, ...others } = headers;
  const extensions: Record<string, string> = {};
  for (const [name, value] of Object.entries(others)) {
    const extension = (extensionNames as Readonly<Record<string, string>>)[name] ?? name;
    if (isExtensionName(extension)) extensions[extension] = value;
  }
  return {
    specversion: '1.0',
    id,
    source: `${OWN_SOURCE_PREFIX}${encodeURIComponent(headers[headerNames.replyTo] ?? '')}`,
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

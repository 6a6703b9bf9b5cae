import { parsedJson } from '../../kernel/parsed-json.ts';
import type { CallAnswer, ProxiedCall } from '../../local/proxy/proxied-call.ts';
import { headerNames } from '../../messages/headers.ts';
import { EVENT_HEADERS_PROPERTY } from '../../messages/wire-format/event-detail.ts';
import { type MessageLabel, messageLabel } from './message-label.ts';

/** A message that left a function. */
export interface SentMessage extends MessageLabel {
  /** Name of a queue, a topic or an event bus. */
  readonly to: string;
  /** Until the queue delivers it; `undefined` for a message without a delay. */
  readonly delaySeconds?: number;
  /** When a schedule sends it, in ISO 8601; `undefined` without a schedule. */
  readonly dueAt?: string;
}

type Fields = Readonly<Record<string, unknown>>;
type Sent = (request: Fields, answer: Fields) => readonly SentMessage[];

/** The messages that a call sent, and that its service took. */
export function sentMessages(call: ProxiedCall, { status, body }: CallAnswer): readonly SentMessage[] {
  if (status >= 300) return [];
  return sendingCalls[call.operation]?.(call.request, body) ?? [];
}

const sendingCalls: Readonly<Record<string, Sent>> = {
  SendMessage: (request) => [queueMessage(request, request)],
  SendMessageBatch: (request, { Failed: failed = [] }) => {
    const refused = (failed as Fields[]).map(({ Id: id }) => id);
    const entries = (request.Entries as Fields[]).filter(({ Id: id }) => !refused.includes(id));
    return entries.map((entry) => queueMessage(request, entry));
  },
  Publish: (request) => [topicMessage(request, '')],
  PublishBatch: (request) =>
    Object.keys(request)
      .filter((field) => /^PublishBatchRequestEntries\.member\.\d+\.Id$/.test(field))
      .map((field) => topicMessage(request, field.replace(/Id$/, ''))),
  PutEvents: (request, { Entries: results }) =>
    (request.Entries as Fields[])
      .filter((_entry, index) => (results as Fields[])[index]?.ErrorCode === undefined)
      .map(eventMessage),
  CreateSchedule: ({ Target: target, ScheduleExpression: at }) => {
    const request = parsedJson(String((target as Fields).Input)) as Fields;
    // Of all time zones, the local scheduler takes UTC only.
    return [{ ...queueMessage(request, request), dueAt: `${String(at).replace(/^at\(|\)$/g, '')}Z` }];
  },
};

function queueMessage({ QueueUrl: url }: Fields, entry: Fields): SentMessage {
  const { MessageBody: body, MessageAttributes: attributes = {}, DelaySeconds: delay } = entry;
  const headers = Object.entries(attributes as Record<string, { StringValue?: string }>).map(
    ([name, { StringValue: value }]) => [name, value] as const,
  );
  return {
    ...messageLabel(String(body), headers),
    to: lastPart(url, '/'),
    ...(Number(delay) > 0 && { delaySeconds: Number(delay) }),
  };
}

/** SNS takes a form: `MessageAttributes.entry.1.Name`, `MessageAttributes.entry.1.Value.StringValue`. */
function topicMessage(form: Fields, prefix: string): SentMessage {
  const headers = Object.entries(form)
    .filter(([field]) => field.startsWith(`${prefix}MessageAttributes.`) && field.endsWith('.Name'))
    .map(([field, name]) => [String(name), form[field.replace(/Name$/, 'Value.StringValue')]] as const);
  return { ...messageLabel(String(form[`${prefix}Message`]), headers), to: lastPart(form.TopicArn, ':') };
}

function eventMessage({
  DetailType: type,
  EventBusName: bus = 'default',
  Detail: detail,
}: Fields): SentMessage {
  const headers = (parsedJson(String(detail)) as Fields | undefined)?.[EVENT_HEADERS_PROPERTY];
  const id = (headers as Fields | undefined)?.[headerNames.messageId];
  return { id: id === undefined ? undefined : String(id), type: String(type), to: lastPart(bus, '/') };
}

function lastPart(address: unknown, separator: string): string {
  return String(address).split(separator).at(-1) ?? '';
}

import { asDate, asJsonObject, asNonEmptyString } from './json-values.ts';
import { assertFewHeaders, headersOf, type MessageHeaders } from './reading.ts';

/** What SNS wraps around a message that it does not deliver raw. */
export interface Notification {
  /** The same for every subscription, and for every time it is delivered. */
  readonly id: string;
  /** Of the topic. */
  readonly account: string;
  /** The topic's name. */
  readonly topic: string;
  readonly headers: MessageHeaders;
  readonly sentAt: Date | undefined;
  readonly message: string;
}

/** Undefined when it is none. @throws Unreadable. Source: "Parsing Amazon SNS message formats". */
export function unwrapNotification(value: unknown): Notification | undefined {
  const notification = asJsonObject(value);
  if (notification?.Type !== 'Notification') return undefined;
  const { MessageAttributes = {}, Message: message, Timestamp } = notification;
  const id = asNonEmptyString(notification.MessageId);
  const attributes = asJsonObject(MessageAttributes);
  if (id === undefined || typeof message !== 'string' || attributes === undefined) return undefined;
  const topicArn = asNonEmptyString(notification.TopicArn);
  if (topicArn === undefined || asNonEmptyString(Timestamp) === undefined) return undefined;
  const [, , , , account = '', topic = topicArn] = topicArn.split(':');
  assertFewHeaders(Object.keys(attributes), "the 'MessageAttributes' of its notification");
  const headers = headersOf(attributes, headerOf);
  return { id, account, topic, headers, sentAt: asDate(Timestamp), message };
}

/** The value of a binary attribute is a string too, in base64. */
function headerOf(value: unknown): string | undefined {
  const attribute = asJsonObject(value);
  return attribute?.Type === 'Binary' ? undefined : asNonEmptyString(attribute?.Value);
}

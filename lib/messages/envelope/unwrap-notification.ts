import { asDate, asJsonObject, asNonEmptyString } from './json-values.ts';
import { assertFewHeaders, headersOf, type MessageHeaders } from './reading.ts';

/** The envelope that SNS puts around a message that it does not deliver raw. */
export interface Notification {
  /** The id of the notification, the same for every subscription and every delivery. */
  readonly id: string;
  /** The account of the topic. */
  readonly account: string;
  /** The topic's name. */
  readonly topic: string;
  readonly headers: MessageHeaders;
  readonly sentAt: Date | undefined;
  readonly message: string;
}

/**
 * Reads a notification; `undefined` for any other value. @throws Unreadable. Source: "Parsing Amazon SNS
 * message formats".
 */
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

/** Returns the value of an attribute, except for a binary one, whose value is a string too, in base64. */
function headerOf(value: unknown): string | undefined {
  const attribute = asJsonObject(value);
  return attribute?.Type === 'Binary' ? undefined : asNonEmptyString(attribute?.Value);
}

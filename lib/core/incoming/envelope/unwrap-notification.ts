import { asDate, asFilledText, asJsonObject } from './json-values.ts';
import type { HeaderTexts } from './reading.ts';

/** What SNS wraps around a message that it does not deliver raw. */
export interface Notification {
  /** The same for every subscription, and for every time it is delivered. */
  readonly id: string;
  readonly headers: HeaderTexts;
  readonly sentAt: Date | undefined;
  readonly message: string;
}

/**
 * Undefined when it is none. Source: "Parsing Amazon SNS message formats" in the Amazon SNS Developer Guide.
 */
export function unwrapNotification(value: unknown): Notification | undefined {
  const notification = asJsonObject(value);
  if (notification?.Type !== 'Notification') return undefined;
  const { MessageAttributes: attributes = {}, Message: message } = notification;
  const id = asFilledText(notification.MessageId);
  if (id === undefined || typeof message !== 'string' || asJsonObject(attributes) === undefined)
    return undefined;
  if (![notification.TopicArn, notification.Timestamp].every(asFilledText)) return undefined;
  return { id, headers: textsOf(attributes), sentAt: asDate(notification.Timestamp), message };
}

/** The value of a binary attribute is a text too, in base64. */
function textsOf(attributes: unknown): HeaderTexts {
  const texts: Record<string, string> = Object.create(null);
  for (const [name, value] of Object.entries(asJsonObject(attributes) ?? {})) {
    const attribute = asJsonObject(value);
    const text = asFilledText(attribute?.Value);
    if (text !== undefined && attribute?.Type !== 'Binary') texts[name] = text;
  }
  return texts;
}

import { parseExactly } from '../../kernel/exact-json.ts';
import { headerOfExtension, isExtensionName, isOwnSource } from '../wire-format/cloud-event.ts';
import { asDate, asJsonObject, asNonEmptyString, type JsonObject } from './json-values.ts';
import { assertFewHeaders, type MessageHeaders, type Reading, Unreadable } from './reading.ts';

/** The facts of an event that its carrier tells: the event itself may say anything. */
export interface CloudEventCarrier {
  /** Whether an event is believed that names an endpoint of sagabox as its source. */
  readonly mayBeOurs: boolean;
  /** Returns the id of the event's message. */
  readonly idOf: (source: string, id: string) => string;
}

/**
 * Reads an event in the structured mode of CloudEvents; `undefined` for any other value. Source: "CloudEvents
 * - Version 1.0.2" and its "JSON Event Format".
 */
export function readCloudEvent(value: unknown, { mayBeOurs, idOf }: CloudEventCarrier): Reading | undefined {
  const event = asJsonObject(value);
  if (event?.specversion !== '1.0') return undefined;
  const id = asNonEmptyString(event.id);
  const source = asNonEmptyString(event.source);
  const type = asNonEmptyString(event.type);
  if (id === undefined || source === undefined || type === undefined) return undefined;
  assertFewHeaders(Object.keys(event), 'its CloudEvent');
  const isOurs = mayBeOurs && isOwnSource(source);
  return {
    id: idOf(source, id),
    type,
    headers: extensionHeaders(event, isOurs),
    sentAt: asDate(event.time),
    body: () => dataOf(event),
  };
}

/** Returns the extension attributes. Numbers and booleans are values too; null is one that is not set. */
function extensionHeaders(event: JsonObject, isOurs: boolean): MessageHeaders {
  const headers: Record<string, string> = Object.create(null);
  for (const [name, value] of Object.entries(event)) {
    const isString = ['string', 'number', 'boolean'].includes(typeof value) && value !== '';
    if (isString && isExtensionName(name)) headers[headerOfExtension(name, isOurs) ?? name] = String(value);
  }
  return headers;
}

function dataOf({ data, data_base64: encoded, datacontenttype: contentType }: JsonObject): unknown {
  if (encoded === undefined || encoded === null) return data ?? null;
  if (data !== undefined && data !== null) throw unreadableData("there is 'data' beside it");
  if (typeof encoded !== 'string') throw unreadableData('it is not a string');
  const bytes = Buffer.from(encoded, 'base64');
  if (bytes.toString('base64') !== encoded) throw unreadableData('it is not base64');
  return isJson(contentType) ? parse(bytes) : encoded;
}

/** Whether the data of an event is JSON, as it is without a content type. */
function isJson(contentType: unknown): boolean {
  if (contentType === undefined || contentType === null) return true;
  return typeof contentType === 'string' && /^[^;]*[/+]json\s*(;|$)/i.test(contentType);
}

function parse(bytes: Uint8Array): unknown {
  try {
    return parseExactly(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch (error) {
    throw unreadableData(`it is not JSON (${(error as Error).message})`, error);
  }
}

function unreadableData(problem: string, cause?: unknown): Unreadable {
  return new Unreadable(`the 'data_base64' of its CloudEvent cannot be read: ${problem}`, { cause });
}

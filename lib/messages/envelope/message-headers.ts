import { headerNames } from '../headers.ts';
import { asJsonObject } from './json-values.ts';
import { assertFewHeaders, headersOf, type MessageHeaders, mergeHeaders, Unreadable } from './reading.ts';

export function attributeHeaders(messageAttributes: unknown): MessageHeaders {
  return headersOf(messageAttributes ?? {}, (attribute) => {
    const value = asJsonObject(attribute)?.stringValue;
    return typeof value === 'string' ? value : undefined;
  });
}

/** Takes the headers out of the attribute that holds those for which no attribute was left. */
export function unfoldHeaders(headers: MessageHeaders): MessageHeaders {
  if (headers[headerNames.folded] === undefined) return headers;
  const { [headerNames.folded]: folded, ...attributes } = headers;
  const { [headerNames.folded]: _nested, ...others } = ownHeaders(parse(folded), headerNames.folded);
  return mergeHeaders(others, attributes);
}

/**
 * Returns headers as sagabox writes them into JSON. Those without a value are left out: no attribute has
 * none.
 *
 * @throws Unreadable when the value is no object of strings
 */
export function ownHeaders(value: unknown, place: string): MessageHeaders {
  const object = asJsonObject(value);
  if (object === undefined) throw notHeaders(place);
  assertFewHeaders(Object.keys(object), `'${place}'`);
  return headersOf(object, (header) => {
    if (typeof header !== 'string') throw notHeaders(place);
    return header || undefined;
  });
}

function parse(folded: string | undefined): unknown {
  try {
    return JSON.parse(folded ?? '');
  } catch (error) {
    throw notHeaders(headerNames.folded, error);
  }
}

function notHeaders(place: string, cause?: unknown): Unreadable {
  return new Unreadable(`'${place}' is not a JSON object of strings`, { cause });
}

import { headerNames } from '../headers.ts';
import { asJsonObject } from './json-values.ts';
import { type HeaderTexts, mergeHeaders, Unreadable } from './reading.ts';

/** The message attributes of an SQS record that are texts. */
export function attributeTexts(messageAttributes: unknown): HeaderTexts {
  const texts: Record<string, string> = Object.create(null);
  for (const [name, attribute] of Object.entries(messageAttributes ?? {})) {
    const text: unknown = asJsonObject(attribute)?.stringValue;
    if (typeof text === 'string') texts[name] = text;
  }
  return texts;
}

/** Takes the headers out of the attribute that holds those there was no attribute left for. */
export function unfoldHeaders(headers: HeaderTexts): HeaderTexts {
  if (headers[headerNames.folded] === undefined) return headers;
  const { [headerNames.folded]: folded, ...attributes } = headers;
  const { [headerNames.folded]: _nested, ...others } = ownHeaders(parse(folded), headerNames.folded);
  return mergeHeaders(others, attributes);
}

/**
 * Headers as sagabox writes them into JSON. Those without a value are left out: no attribute has none.
 *
 * @throws Unreadable when it is no object of texts
 */
export function ownHeaders(value: unknown, place: string): HeaderTexts {
  const object = asJsonObject(value);
  const texts: Record<string, string> = Object.create(null);
  for (const [name, text] of Object.entries(object ?? {})) {
    if (typeof text !== 'string') throw noTexts(place);
    if (text !== '') texts[name] = text;
  }
  if (object === undefined) throw noTexts(place);
  return texts;
}

function parse(folded: string | undefined): unknown {
  try {
    return JSON.parse(folded ?? '');
  } catch (error) {
    throw noTexts(headerNames.folded, error);
  }
}

function noTexts(place: string, cause?: unknown): Unreadable {
  return new Unreadable(`'${place}' is not a JSON object of texts`, { cause });
}

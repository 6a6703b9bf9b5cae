import { utf8Bytes } from '../../dynamodb/item-size.ts';
import { cutToBytes } from '../../kernel/errors/cut-to-bytes.ts';
import { limits } from '../../kernel/limits.ts';
import { headerNames, OWN_HEADER_PREFIX } from '../headers.ts';
import { hasSqsCharacters } from '../wire-format/sqs-characters.ts';
import { isFoldable } from '../wire-format/wire.ts';
import {
  stringAttribute,
  type WireAttribute,
  type WireAttributes,
  wireAttributesBytes,
} from '../wire-format/wire-attributes.ts';
import { wireJson } from '../wire-format/wire-json.ts';
import { decodeFailure, encodeFailure, type FailureFacts } from './failure-facts.ts';

export interface FailedMessage {
  /** The same for every copy of the message. */
  readonly id: string;
  readonly body: string;
  readonly attributes: WireAttributes;
}

/**
 * The attributes of a failed message in an error queue: its own, its id, and what went wrong. Attributes over
 * ten move into the failure header, and what is too large there is cut: first the stack, then the message.
 *
 * @returns undefined when the message leaves no room for even that
 */
export function failureAttributes(message: FailedMessage, facts: FailureFacts): WireAttributes | undefined {
  const { [headerNames.failure]: _earlier, ...received } = message.attributes;
  const identified = withMessageId(received, message.id);
  // On its way back the message has to fit without the header.
  if (Object.keys(identified).length > limits.messageAttributes) return undefined;

  const { kept, packed } = packAttributes(identified);
  const roomBytes = limits.messageBytes - utf8Bytes(message.body) - wireAttributesBytes(kept);
  const headerBytes = wireAttributesBytes({ [headerNames.failure]: stringAttribute('') });
  const header = fitFailure({ ...facts, ...packed }, roomBytes - headerBytes);
  return header === undefined ? undefined : { ...kept, [headerNames.failure]: stringAttribute(header) };
}

/** Undoes {@link failureAttributes}; the id stays, so that every copy of the message is known as one. */
export function withoutFailure(message: Pick<FailedMessage, 'id' | 'attributes'>): {
  attributes: WireAttributes;
  failure: FailureFacts | undefined;
} {
  const { [headerNames.failure]: header, ...kept } = message.attributes;
  const failure = decodeFailure(header?.stringValue);
  return { attributes: withMessageId({ ...kept, ...failure?.attributes }, message.id), failure };
}

/**
 * Those of a message on its way back to its queue, with the mark that an operator moved it. A message of others that
 * has no room for the mark goes without: none of ours is so full.
 */
export function redrivenAttributes({ body, attributes }: Omit<FailedMessage, 'id'>): WireAttributes {
  const marked = { ...attributes, [headerNames.redriven]: stringAttribute('true') };
  const isOver = Object.keys(marked).length > limits.messageAttributes;
  const fitted = isOver && attributes[headerNames.folded] === undefined ? folded(marked) : marked;
  const fits =
    Object.keys(fitted).length <= limits.messageAttributes &&
    utf8Bytes(body) + wireAttributesBytes(fitted) <= limits.messageBytes;
  return fits ? fitted : attributes;
}

function folded(attributes: WireAttributes): WireAttributes {
  const all = Object.entries(attributes);
  const kept = all.filter(([name]) => !isFoldable(name));
  const others = all
    .filter(([name]) => isFoldable(name))
    .map(([name, { stringValue }]) => [name, stringValue]);
  const header = stringAttribute(wireJson(Object.fromEntries(others)));
  return { ...Object.fromEntries(kept), [headerNames.folded]: header };
}

/** An id that SQS would refuse stands in the body, and is read from there again. */
export function withMessageId(attributes: WireAttributes, id: string): WireAttributes {
  if (attributes[headerNames.messageId]?.stringValue || !hasSqsCharacters(id)) return attributes;
  return { ...attributes, [headerNames.messageId]: stringAttribute(id) };
}

/** Those of the user go first: in an error queue, sagabox's own tell what the message is. */
function packAttributes(attributes: WireAttributes): {
  kept: WireAttributes;
  packed: Pick<FailureFacts, 'attributes'>;
} {
  const rank = (name: string) => (name.startsWith(OWN_HEADER_PREFIX) ? 0 : 1);
  const inOrder = Object.entries(attributes).toSorted(([one], [other]) => rank(one) - rank(other));
  const room = limits.messageAttributes - 1;
  const packed = inOrder.slice(room).map(([name, attribute]) => [name, plain(attribute)] as const);
  return {
    kept: Object.fromEntries(inOrder.slice(0, room)),
    packed: packed.length === 0 ? {} : { attributes: Object.fromEntries(packed) },
  };
}

function plain({ dataType, stringValue, binaryValue }: WireAttribute): WireAttribute {
  return stringValue === undefined ? { dataType, binaryValue } : { dataType, stringValue };
}

/** A string takes at least its own bytes in JSON, so that cutting the excess is always enough. */
function fitFailure(facts: FailureFacts, roomBytes: number): string | undefined {
  let fitted = facts;
  for (const part of ['stack', 'message'] as const) {
    const excess = utf8Bytes(encodeFailure(fitted)) - roomBytes;
    if (excess > 0) {
      fitted = { ...fitted, [part]: cutToBytes(fitted[part], utf8Bytes(fitted[part]) - excess) };
    }
  }
  const header = encodeFailure(fitted);
  return utf8Bytes(header) <= roomBytes ? header : undefined;
}

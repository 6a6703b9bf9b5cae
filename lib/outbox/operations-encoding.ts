import { utf8Bytes } from '../dynamodb/item-size.ts';
import type { RecordIdentity } from '../dynamodb/keys.ts';
import { isJsonObject } from '../kernel/values/value-kind.ts';
import { isCancellation, type OutgoingMessage, type OutgoingOperation } from '../messages/message.ts';
import { outgoingMessageId } from '../messages/message-id.ts';
import { encodeForSqs } from '../messages/wire-format/sqs-characters.ts';
import {
  decodeHeaders,
  type EncodedHeader,
  encodeHeaders,
  type HeaderSource,
  isSameHeader,
} from './headers-encoding.ts';

/** The letters of fields. They are stored and never change, as those of headers. */
const fieldLetters = {
  destination: 'd',
  type: 't',
  delaySeconds: 's',
  dueAt: 'u',
  messageGroupId: 'g',
  format: 'f',
  hasCreationContext: 'c',
} as const satisfies Record<Exclude<keyof OutgoingMessage, 'id' | 'body' | 'headers'>, string>;
type Field = keyof typeof fieldLetters;
const fields = Object.keys(fieldLetters) as Field[];
const fieldOf: ReadonlyMap<string, Field> = new Map(fields.map((field) => [fieldLetters[field], field]));

/** The stored form of operations, without their bodies. */
export interface EncodedOperations {
  /** The fields and headers that all messages have. */
  readonly common: readonly [Record<string, unknown>, readonly EncodedHeader[]];
  /** The parts that each operation alone has; 0 for none. `undefined` when no operation has such parts. */
  readonly own: readonly (Own | 0)[] | undefined;
}

type Own = Record<string, unknown>;

/** The least bytes that an operation takes in memory: those of its id, destination and type, and of the object. */
const LEAST_BYTES = 128;

/**
 * Returns the approximate bytes of the decoded operations. A limit on them keeps a few bytes from becoming
 * more operations than the memory holds.
 */
export function decodedBytes(encodedBytes: number, count: number, common: readonly unknown[]): number {
  return encodedBytes + count * (LEAST_BYTES + utf8Bytes(JSON.stringify(common)));
}

export function encodeOperations(
  operations: readonly OutgoingOperation[],
  identity: RecordIdentity,
): EncodedOperations {
  const messages = operations.filter(isMessage);
  const [first] = messages;
  const shared = fields.filter(
    (field) => first?.[field] !== undefined && messages.every((message) => message[field] === first[field]),
  );
  const sourceAt = headerSources(identity);
  const headers = operations.map((operation, index) =>
    isCancellation(operation) ? undefined : encodeHeaders(operation.headers, sourceAt(index)),
  );
  const commonHeaders = commonOf(headers.filter((list) => list !== undefined));
  const ordinalAt = ordinals(identity);
  const own = operations.map((operation, index): Own | 0 => {
    const ordinal = ordinalAt(operation.id, index);
    const id = ordinal === index ? {} : ordinal === undefined ? { i: operation.id } : { n: ordinal };
    if (isCancellation(operation)) return { ...id, x: operation.cancels };
    const others = fields.filter((field) => operation[field] !== undefined && !shared.includes(field));
    const ownHeaders = headersBetween(headers[index] ?? [], commonHeaders);
    const parts: Own = {
      ...id,
      ...lettered(operation, others),
      ...(ownHeaders.length > 0 && { h: ownHeaders }),
    };
    return Object.keys(parts).length === 0 ? 0 : parts;
  });
  return {
    common: [first ? lettered(first, shared) : {}, commonHeaders],
    own: own.some((parts) => parts !== 0) ? own : undefined,
  };
}

/** @throws Error for what `encodeOperations` does not make; the messages are still to be checked */
export function decodeOperations(stored: unknown, bytes: number, maxBytes: number, identity: RecordIdentity) {
  if (!Array.isArray(stored)) throw damaged();
  const [commonFields, commonHeaders, bodies, own, ...more] = stored as unknown[];
  const isEncoded =
    isJsonObject(commonFields) &&
    Array.isArray(commonHeaders) &&
    Array.isArray(bodies) &&
    (own === undefined || (Array.isArray(own) && own.length === bodies.length)) &&
    more.length === 0;
  if (!isEncoded) throw damaged();
  if (decodedBytes(bytes, bodies.length, [commonFields, commonHeaders]) > maxBytes) {
    throw new Error(`its outgoing messages take more than ${maxBytes} bytes`);
  }
  const sourceAt = headerSources(identity);
  return bodies.map((body, ordinal): unknown => {
    const { i, n = ordinal, x, h = [], ...others } = ownOf(own?.[ordinal]);
    const id = i ?? outgoingMessageId(identity.messageId, identity.endpoint, ordinalOf(n));
    if (x !== undefined) return { id, cancels: x };
    const { destination, type, ...rest } = named({ ...commonFields, ...others });
    const headers = decodeHeaders(headersAmong(commonHeaders, h), sourceAt(ordinal));
    return { id, destination, type, body, headers, ...rest };
  });
}

function isMessage(operation: OutgoingOperation): operation is OutgoingMessage {
  return !isCancellation(operation);
}

function headerSources({ endpoint, messageId }: RecordIdentity): (ordinal: number) => HeaderSource {
  const encoded = encodeForSqs(messageId);
  return (ordinal) => ({ endpoint, messageId: encoded, ordinal });
}

/** Returns the longest list, as far as one pass finds it, that is in all lists in its order. */
function commonOf([first = [], ...others]: readonly (readonly EncodedHeader[])[]): readonly EncodedHeader[] {
  return others.reduce((common, list) => {
    let from = 0;
    return common.filter((header) => {
      const index = list.findIndex((other, at) => at >= from && isSameHeader(other, header));
      if (index >= 0) from = index + 1;
      return index >= 0;
    });
  }, first);
}

/** Returns each header that is not common, behind the number of common ones before it. */
function headersBetween(headers: readonly EncodedHeader[], common: readonly EncodedHeader[]): unknown[] {
  let passed = 0;
  return headers.flatMap((header) => {
    if (!isSameHeader(common[passed], header)) return [passed, header];
    passed += 1;
    return [];
  });
}

function headersAmong(common: readonly unknown[], own: unknown): unknown[] {
  if (!Array.isArray(own) || own.length % 2 !== 0) throw damaged();
  const headers: unknown[] = [];
  let passed = 0;
  for (let index = 0; index < own.length; index += 2) {
    const place: unknown = own[index];
    if (!isCount(place) || place < passed || place > common.length) throw damaged();
    headers.push(...common.slice(passed, place), own[index + 1]);
    passed = place;
  }
  return [...headers, ...common.slice(passed)];
}

/** The ids that are tried for operations that are not at their own place: others are stored whole. */
const MAX_TRIES = 100;

/** Returns a function that finds the ordinal of an id; `undefined` for an id that is not known. */
function ordinals({ messageId, endpoint }: RecordIdentity) {
  let taken = 0;
  let tries = 0;
  return (id: string, index: number): number | undefined => {
    // An operation that was taken back leaves a gap before all that follow.
    for (let skipped = taken; tries <= MAX_TRIES; skipped += 1) {
      if (outgoingMessageId(messageId, endpoint, index + skipped) === id) {
        taken = skipped;
        return index + skipped;
      }
      tries += 1;
    }
    return undefined;
  };
}

function lettered(message: OutgoingMessage, names: readonly Field[]): Record<string, unknown> {
  return Object.fromEntries(names.map((field) => [fieldLetters[field], message[field]]));
}

/** Returns fields in the order in which a message has them. */
function named(stored: Readonly<Record<string, unknown>>): Partial<Record<Field, unknown>> {
  if (Object.keys(stored).some((letter) => !fieldOf.has(letter))) throw damaged();
  const present = fields.filter((field) => stored[fieldLetters[field]] !== undefined);
  return Object.fromEntries(present.map((field) => [field, stored[fieldLetters[field]]]));
}

function ownOf(stored: unknown): Own {
  if (stored === undefined || stored === 0) return {};
  if (isJsonObject(stored)) return stored;
  throw damaged();
}

function ordinalOf(stored: unknown): number {
  if (isCount(stored)) return stored;
  throw damaged();
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && Number(value) >= 0;
}

function damaged(): Error {
  return new Error('it holds no outgoing messages');
}

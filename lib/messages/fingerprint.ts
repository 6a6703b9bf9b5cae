import { crc32 } from 'node:zlib';
import { writtenNumber } from '../kernel/exact-json.ts';
import { isPlainObject, kindOf } from '../kernel/values/value-kind.ts';
import type { IncomingMessage } from './message.ts';

/** A checksum of the message's type, and one of its body: 8 bytes, as a record has room for little more. */
export type Fingerprint = Uint8Array;

const CHECKSUM_BYTES = 4;

export const FINGERPRINT_BYTES = 2 * CHECKSUM_BYTES;

/** The checksum of a missing type: a default type that is configured later does not count as another one. */
const NO_TYPE = 0;

/**
 * Returns the fingerprint that tells copies of one message from other messages with its id, but for one in
 * four billion of those. No sender gains by such a collision: whoever can send under the id of a message can
 * send a copy of it too. A number that JavaScript has rounded counts as it was written.
 *
 * @param message the message as it was received, before its schema and its claim check
 */
export function fingerprintOf(message: Pick<IncomingMessage, 'type' | 'body'>): Fingerprint {
  const { type, body } = message;
  const bodyChecksum = body === undefined ? undefined : checksumOfContent(message);
  const fingerprint = Buffer.alloc(bodyChecksum === undefined ? CHECKSUM_BYTES : FINGERPRINT_BYTES);
  fingerprint.writeUInt32BE(type === '' ? NO_TYPE : crc32(type));
  if (bodyChecksum !== undefined) fingerprint.writeUInt32BE(bodyChecksum, CHECKSUM_BYTES);
  return fingerprint;
}

/**
 * Returns the part in which two messages with one id differ, as far as both fingerprints tell; `undefined`
 * for copies.
 */
export function differenceOf(one: Fingerprint, other: Fingerprint): 'type' | 'body' | undefined {
  const [type, otherType] = [checksumAt(one, 0), checksumAt(other, 0)];
  if (type && otherType && type !== otherType) return 'type';
  const [body, otherBody] = [checksumAt(one, CHECKSUM_BYTES), checksumAt(other, CHECKSUM_BYTES)];
  return body !== undefined && otherBody !== undefined && body !== otherBody ? 'body' : undefined;
}

function checksumAt(fingerprint: Fingerprint, offset: number): number | undefined {
  if (fingerprint.byteLength < offset + CHECKSUM_BYTES) return undefined;
  return new DataView(fingerprint.buffer, fingerprint.byteOffset).getUint32(offset);
}

/**
 * Returns the checksum of a body; `undefined` for one that is nested too deep, or that a user's parser
 * returned and is no JSON.
 */
function checksumOfContent(message: Pick<IncomingMessage, 'body'>): number | undefined {
  try {
    return checksumOf(message, 'body', message.body) >>> 0;
  } catch {
    // The message is handled all the same: other bodies under its id are not noticed.
    return undefined;
  }
}

/**
 * Returns a checksum, the same for the same content, in whatever order its names stand.
 *
 * @param holder the object that has the value under the name
 */
function checksumOf(holder: object, name: string | number, value: unknown): number {
  if (typeof value !== 'object' || value === null)
    return crc32(`${writtenNumber(holder, name, value) ?? value}`, crc32(`${typeof value} `));
  if (Array.isArray(value)) {
    const add = (sum: number, element: unknown, index: number) =>
      Math.imul(sum, FACTOR) + checksumOf(value, index, element);
    return mixed(value.reduce(add, 1));
  }
  if (!isPlainObject(value)) throw new TypeError(`${kindOf(value)} is no JSON`);
  let sum = 2;
  const properties = value as Readonly<Record<string, unknown>>;
  for (const key of Object.keys(properties))
    sum += Math.imul(crc32(key) | 1, checksumOf(value, key, properties[key]));
  return mixed(sum);
}

/** The factors are odd: no bit of a product gets lost. */
const FACTOR = 0x01000193;
const MIXING_FACTOR = 0x85ebca6b;

/** Mixes a sum, so that nested content is not summed up with the content around it. */
function mixed(sum: number): number {
  return Math.imul(sum ^ (sum >>> 16), MIXING_FACTOR);
}

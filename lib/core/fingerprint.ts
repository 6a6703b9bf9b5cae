import { hash } from 'node:crypto';
import type { IncomingMessage } from './message.ts';

/** A hash of the message's type, and one of its body: 12 bytes, as a record has room for little more. */
export type Fingerprint = Uint8Array;

const TYPE_BYTES = 4;
const BODY_BYTES = 8;

/** The size of a whole one. */
export const FINGERPRINT_BYTES = TYPE_BYTES + BODY_BYTES;

/** Of a message without a type: one that is configured later, as its default, is no other one. */
const noType = new Uint8Array(TYPE_BYTES);

/**
 * Tells copies of one message from other messages with its id.
 *
 * @param message as it was received: before its schema changes the body, and before the claim check brings it
 */
export function fingerprintOf({ type, body }: Pick<IncomingMessage, 'type' | 'body'>): Fingerprint {
  const typeHash = type === '' ? noType : hashOf(type, TYPE_BYTES);
  const json = canonicalJson(body);
  return Buffer.concat(json === undefined ? [typeHash] : [typeHash, hashOf(json, BODY_BYTES)]);
}

/** In what two messages with one id differ, as far as both fingerprints tell; undefined when they are copies of one. */
export function differenceOf(one: Fingerprint, other: Fingerprint): 'type' | 'body' | undefined {
  if (tellsType(one) && tellsType(other) && !isEqual(typeOf(one), typeOf(other))) return 'type';
  return tellsBody(one) && tellsBody(other) && !isEqual(bodyOf(one), bodyOf(other)) ? 'body' : undefined;
}

function tellsType(fingerprint: Fingerprint): boolean {
  const type = typeOf(fingerprint);
  return type.byteLength === TYPE_BYTES && !isEqual(type, noType);
}

function tellsBody(fingerprint: Fingerprint): boolean {
  return fingerprint.byteLength === FINGERPRINT_BYTES;
}

function typeOf(fingerprint: Fingerprint): Uint8Array {
  return fingerprint.subarray(0, TYPE_BYTES);
}

function bodyOf(fingerprint: Fingerprint): Uint8Array {
  return fingerprint.subarray(TYPE_BYTES);
}

function isEqual(one: Uint8Array, other: Uint8Array): boolean {
  return Buffer.compare(one, other) === 0;
}

function hashOf(content: string, bytes: number): Uint8Array {
  return hash('sha256', content, 'buffer').subarray(0, bytes);
}

/**
 * The same for the same content, in whatever order its names stand. Undefined for what JSON cannot hold, which a parser of the user's
 * own may return, and for what is nested too deep to be written.
 */
function canonicalJson(body: unknown): string | undefined {
  try {
    return JSON.stringify(body, (_name, value: unknown) => (isObject(value) ? inOrder(value) : value));
  } catch {
    return undefined;
  }
}

function inOrder(object: Record<string, unknown>): Record<string, unknown> {
  const names = Object.keys(object);
  // Most are made by one program, which writes them in one order: those in order need no copy.
  if (names.every((name, index) => index === 0 || (names[index - 1] as string) < name)) return object;
  return Object.fromEntries(names.sort().map((name) => [name, object[name]]));
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

import { createHash } from 'node:crypto';
import { isPlainObject } from '../checks/value-kind.ts';
import type { Fingerprint } from '../incoming/fingerprint.ts';

/** In place of the checksum of a message's type: method and route are in the id of the request. */
const NO_TYPE = Buffer.alloc(4);

const HASH_BYTES = 12;

/**
 * Tells a request from another one under its key. It has more bits than that of a message: the client chooses the
 * keys, and would get the response to something else.
 *
 * @param content undefined if nothing is to be told by it
 */
export function contentFingerprint(content: unknown): Fingerprint {
  const json = canonicalJson(content);
  if (json === undefined) return NO_TYPE;
  return Buffer.concat([NO_TYPE, createHash('sha256').update(json).digest().subarray(0, HASH_BYTES)]);
}

/** The same for the same content, in whatever order its names stand. Undefined for what is no JSON. */
function canonicalJson(content: unknown): string | undefined {
  try {
    return JSON.stringify(content, (_, value: unknown) =>
      typeof value === 'object' && value !== null && isPlainObject(value) ? sorted(value) : value,
    );
  } catch {
    // What is nested too deep is handled all the same: another one under its key is not noticed.
    return undefined;
  }
}

function sorted(value: object): object {
  return Object.fromEntries(Object.entries(value).toSorted(([one], [other]) => (one < other ? -1 : 1)));
}

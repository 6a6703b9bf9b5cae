import { writeUnits } from '../dynamodb/capacity-units.ts';
import { compress, decompress } from '../dynamodb/compression.ts';
import { utf8Bytes } from '../dynamodb/item-size.ts';
import { SagaboxError } from '../kernel/errors/errors.ts';
import { isJsonObject } from '../kernel/values/value-kind.ts';
import { bodyJson } from '../sending/body-json.ts';
import { MAX_PACKED_ITEM_BYTES } from './packing.ts';

/** The response of a session as its outbox record keeps it: JSON, compressed JSON, or where its JSON is. */
export type StoredResponse =
  | { readonly json: string }
  | { readonly compressed: Uint8Array }
  | { readonly claimCheck: string };

/** Of Lambda's own answer, for one that is not streamed. Source: "Lambda quotas" (2026-11). */
const MAX_RESPONSE_BYTES = 6 * 1024 * 1024;

/**
 * What Lambda would answer with; undefined for a handler that returns nothing.
 *
 * @throws SagaboxError `ResponseNotStorable`, also for what JSON would change or leave out silently
 */
export function responseJson(response: unknown): string | undefined {
  if (isStreamed(response))
    throw notStorable('it is a stream: return a string, or leave out the idempotency key');
  return bodyJson(response, refuseResponse, 'response');
}

/** Whether Lambda would send it part by part. */
export function isStreamed(response: unknown): boolean {
  return isStream(response) || (isJsonObject(response) && isStream(response.body));
}

function refuseResponse(detail: string, cause?: unknown): never {
  throw notStorable(detail, cause);
}

/**
 * In the record itself: compressed only when that saves a write unit.
 *
 * @throws SagaboxError `ResponseNotStorable` for more than a record holds
 */
export function storedResponse(json: string): StoredResponse {
  const bytes = utf8Bytes(json);
  if (writeUnits(bytes) === 1) return { json };
  const compressed = bytes > MAX_RESPONSE_BYTES ? undefined : compress(Buffer.from(json));
  const storedBytes = Math.min(bytes, compressed?.byteLength ?? bytes);
  if (storedBytes > MAX_PACKED_ITEM_BYTES) {
    throw notStorable(
      `it takes ${bytes} bytes, ${storedBytes} of them after compression, over the ${MAX_PACKED_ITEM_BYTES} of an outbox record: ` +
        'configure a claim check, or keep the data elsewhere and return where it is',
    );
  }
  const isSmaller = compressed && writeUnits(compressed.byteLength) < writeUnits(bytes);
  return isSmaller ? { compressed } : { json };
}

/** @throws Error for damaged bytes */
export function readResponse(stored: Exclude<StoredResponse, { claimCheck: string }>): unknown {
  if ('json' in stored) return JSON.parse(stored.json);
  const bytes = decompress(stored.compressed, MAX_RESPONSE_BYTES);
  return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
}

/** What it takes in the record. */
export function responseBytes(stored: StoredResponse | undefined): number {
  if (stored === undefined) return 0;
  if ('compressed' in stored) return stored.compressed.byteLength;
  return utf8Bytes('json' in stored ? stored.json : stored.claimCheck);
}

/** Of an HTTP response; a response without one has 200. Undefined for what is no status. */
export function statusOf(response: unknown): number | undefined {
  const { statusCode = 200 } = isJsonObject(response) ? response : {};
  const status = Number(statusCode);
  return Number.isInteger(status) ? status : undefined;
}

function isStream(body: unknown): boolean {
  if (typeof body !== 'object' || body === null) return false;
  return 'pipe' in body || 'getReader' in body || Symbol.asyncIterator in body;
}

function notStorable(detail: string, cause?: unknown): SagaboxError<'ResponseNotStorable'> {
  return new SagaboxError('ResponseNotStorable', { detail }, { cause });
}

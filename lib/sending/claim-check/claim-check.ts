import { createHash } from 'node:crypto';
import { utf8Bytes } from '../../dynamodb/item-size.ts';
import { SagaboxError } from '../../kernel/errors/errors.ts';
import { refuserOf } from '../../messages/contracts/refusal.ts';
import type { Destinations } from '../../messages/destinations/destination.ts';
import { headerNames } from '../../messages/headers.ts';
import {
  isCancellation,
  type JsonValue,
  type OutgoingMessage,
  type OutgoingOperation,
} from '../../messages/message.ts';
import { wireJson } from '../../messages/wire-format/wire-json.ts';
import { needsClaimCheck } from '../message-size.ts';
import { assertClaimSize } from '../outgoing.ts';
import { claimCheckDefaults } from './claim-check-defaults.ts';
import { claimCheckFolder, isKeySegment, keySegment } from './claim-folder.ts';

export interface ClaimCheckStorage {
  readonly bucketName: string;
  readonly endpoint: string;
  /** Larger bodies, as JSON, are stored in the bucket. */
  readonly thresholdBytes: number;
  /** What is too large for its destination is stored in the bucket too. */
  readonly destinations: Destinations;
}

export interface ClaimCheck {
  readonly key: string;
  readonly json: string;
  /** What travels in its place. */
  readonly reference: OutgoingMessage;
}

/**
 * @returns undefined for what travels as it is
 * @throws SagaboxError `InvalidOutgoingMessage` when it could not be read back
 */
export function claimCheckOf(
  operation: OutgoingOperation,
  storage: ClaimCheckStorage,
): ClaimCheck | undefined {
  if (isCancellation(operation)) return undefined;
  const destination = storage.destinations.get(operation.destination);
  if (!needsClaimCheck(operation, destination, storage.thresholdBytes)) return undefined;
  assertClaimSize(operation, refuserOf(operation.type, operation.destination));
  const json = wireJson(operation.body);
  const key = claimKey(operation.id, json, storage);
  const reference = {
    ...operation,
    body: { claimCheck: `s3://${storage.bucketName}/${key}`, bytes: utf8Bytes(json) },
    headers: { ...operation.headers, [headerNames.claimCheck]: key },
  };
  return { key, json, reference };
}

/** Whether a key may be read: it comes from whoever can send to the endpoint. */
export function isClaimCheckKey(key: string): boolean {
  const { keyPrefix } = claimCheckDefaults;
  if (!key.startsWith(`${keyPrefix}/`)) return false;
  const [endpoint = '', messageId = '', file = '', ...rest] = key.slice(keyPrefix.length + 1).split('/');
  return rest.length === 0 && [endpoint, messageId].every(isKeySegment) && /^[0-9a-f]{64}\.json$/.test(file);
}

/** @throws SagaboxError `ClaimCheckNotFound` when it is not the body that the key was made for */
export function readClaimCheck(body: Uint8Array, key: string, messageId: string): JsonValue {
  if (!key.endsWith(`/${sha256(body)}.json`))
    throw claimCheckNotFound(messageId, key, 'its content is another one');
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body));
  } catch (error) {
    throw claimCheckNotFound(messageId, key, `it is not JSON (${(error as Error).message})`, error);
  }
}

export function claimCheckNotFound(
  messageId: string,
  key: string,
  detail: string,
  cause?: unknown,
): SagaboxError<'ClaimCheckNotFound'> {
  return new SagaboxError('ClaimCheckNotFound', { messageId, key, detail }, { cause });
}

/** Two attempts can differ in their bodies: the one that loses must not overwrite the other's. */
function claimKey(messageId: string, json: string, { endpoint }: ClaimCheckStorage): string {
  return `${claimCheckFolder(endpoint)}/${keySegment(messageId)}/${sha256(json)}.json`;
}

function sha256(content: string | Uint8Array): string {
  return createHash('sha256').update(content).digest('hex');
}

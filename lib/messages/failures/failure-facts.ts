import { cutToBytes } from '../../kernel/errors/cut-to-bytes.ts';
import { isSagaboxError } from '../../kernel/errors/errors.ts';
import { withoutSecrets } from '../../kernel/errors/secrets.ts';
import { isError, stringOf, thrownMessage } from '../../kernel/errors/thrown.ts';
import { parsedJson } from '../../kernel/parsed-json.ts';
import { isJsonObject } from '../../kernel/values/value-kind.ts';
import { isWireAttribute, type WireAttributes } from '../wire-format/wire-attributes.ts';
import { wireJson } from '../wire-format/wire-json.ts';

/** What the header `Sagabox.Failure` tells, as JSON, of a message in an error queue. */
export interface FailureFacts {
  /** The endpoint that could not handle it; absent when that has no name. */
  readonly endpoint?: string;
  /** Where the message came from: the URL of the queue, or its ARN when the URL is not known. */
  readonly queue: string;
  /** When it failed for the last time, in ISO 8601. */
  readonly failedAt: string;
  /** The code of a `SagaboxError`, else the error's name. */
  readonly code: string;
  readonly message: string;
  readonly stack: string;
  /** How often SQS delivered it. */
  readonly receiveCount: number;
  readonly messageGroupId?: string;
  /** Attributes of the message for which SQS has no room beside this header. */
  readonly attributes?: WireAttributes;
}

/** A name may be what another service has answered with. */
export const failureLimits = { codeBytes: 256, messageBytes: 16 * 1024, stackBytes: 16 * 1024 } as const;

/** An error as a person reads it, without secrets, cut so that it cannot fill the message. */
export function describeError(error: unknown): Pick<FailureFacts, 'code' | 'message' | 'stack'> {
  const stack = isError(error) ? stringOf(() => error.stack ?? '') : '';
  return {
    code: cutToBytes(failureCode(error), failureLimits.codeBytes),
    message: cutToBytes(thrownMessage(error), failureLimits.messageBytes),
    stack: cutToBytes(withoutSecrets(stack), failureLimits.stackBytes),
  };
}

/** The code of a `SagaboxError`, else the error's name. */
export function failureCode(error: unknown): string {
  if (isSagaboxError(error)) return error.code;
  return isError(error) ? stringOf(() => error.name) : 'Unknown';
}

/** What a header says; undefined when it was not written by {@link encodeFailure}. */
export function decodeFailure(header: string | undefined): FailureFacts | undefined {
  if (header === undefined) return undefined;
  const facts = parsedJson(header) as Partial<Record<keyof FailureFacts, unknown>> | null | undefined;
  const { attributes = {}, messageGroupId = '' } = facts ?? {};
  const strings = [facts?.queue, facts?.failedAt, facts?.code, facts?.message, facts?.stack, messageGroupId];
  const isOurs =
    strings.every((value) => typeof value === 'string') &&
    !Number.isNaN(Date.parse(String(facts?.failedAt))) &&
    isJsonObject(attributes) &&
    Object.values(attributes).every(isWireAttribute);
  return isOurs ? (facts as FailureFacts) : undefined;
}

export function encodeFailure(facts: FailureFacts): string {
  return wireJson(facts);
}

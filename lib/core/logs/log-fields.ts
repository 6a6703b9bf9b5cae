import { isJsonObject } from '../checks/value-kind.ts';
import { defined } from '../defined.ts';
import { isSagaboxError } from '../failures/errors.ts';
import { failureCode } from '../failures/failure-facts.ts';
import { isError, thrownMessage } from '../failures/thrown.ts';
import { JsonCopy } from './json-copy.ts';
import { type LoggedError, loggedError } from './logged-error.ts';

/** With them there is room for the other fields of a line. */
const MAX_ERROR_BYTES = 36 * 1024;
const MAX_FACTS_BYTES = 8 * 1024;

/** What a log line tells of a failure. */
export type FailureFields = {
  /** The code of a `SagaboxError`, else the error's name. */
  readonly code: string;
  /** Of a `SagaboxError` about a saga: they stand where other lines have them. */
  readonly sagaName?: unknown;
  readonly sagaId?: unknown;
  /** The others of a `SagaboxError`. */
  readonly facts?: unknown;
  readonly error: LoggedError;
};

/** In JSON and of bounded size, so that any logger may take it as it is. Never throws. */
export function failureFields(thrown: unknown): FailureFields {
  try {
    return fieldsOf(thrown);
  } catch {
    // A proxy may throw whenever it is asked.
    return { code: 'Unknown', error: { message: thrownMessage(thrown) } };
  }
}

function fieldsOf(thrown: unknown): FailureFields {
  const known = isSagaboxError(thrown) ? thrown : undefined;
  const error = errorOf(thrown);
  const facts = known && new JsonCopy(MAX_FACTS_BYTES).of(known.facts);
  const { sagaName, sagaId } = isJsonObject(facts) ? facts : {};
  const saga = defined({ sagaName, sagaId });
  const isTold = (name: string, value: unknown) => name in saga || value === error.message;
  const kept = withoutRepeated(facts, isTold);
  // It stands at the top of the line.
  const { code, ...others } = error;
  return {
    code: failureCode(thrown),
    ...saga,
    ...(kept !== undefined && { facts: kept }),
    error: known ? others : error,
  };
}

function errorOf(thrown: unknown): LoggedError {
  const copy = new JsonCopy(MAX_ERROR_BYTES);
  const told = copy.of(isError(thrown) ? thrown : loggedError(thrown));
  if (isJsonObject(told)) return told as LoggedError;
  // One that throws when it is asked.
  return { message: String(new JsonCopy(MAX_ERROR_BYTES).of(thrownMessage(thrown))) };
}

/**
 * The fields of one line. What stands at the top is not told again in its `facts`.
 *
 * @param told by the caller of a logger, who may write JavaScript
 */
export function logFields(known: object, told: unknown): Record<string, unknown> {
  const fields: Record<string, unknown> = { ...known, ...asFields(told) };
  const { facts, ...others } = fields;
  const kept = withoutRepeated(facts, (name, value) => name in others && others[name] === value);
  if (kept === facts) return fields;
  return kept === undefined ? others : { ...fields, facts: kept };
}

function asFields(told: unknown): object {
  if (told === undefined || told === null) return {};
  if (isError(told)) return { error: told };
  try {
    return isJsonObject(told) ? { ...told } : { facts: told };
  } catch {
    // A getter or a proxy of the caller's: the line must not be lost.
    return { facts: new JsonCopy(MAX_FACTS_BYTES).of(told) };
  }
}

/** @returns undefined if nothing is left, and the facts themselves if nothing is repeated */
function withoutRepeated(facts: unknown, isRepeated: (name: string, value: unknown) => boolean): unknown {
  if (!isJsonObject(facts) || isError(facts)) return facts;
  const entries = Object.entries(facts);
  const kept = entries.filter(([name, value]) => !isRepeated(name, value));
  if (kept.length === 0) return undefined;
  return kept.length === entries.length ? facts : Object.fromEntries(kept);
}

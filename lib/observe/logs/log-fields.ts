import { defined } from '../../kernel/defined.ts';
import { isSagaboxError } from '../../kernel/errors/errors.ts';
import { isError, thrownMessage } from '../../kernel/errors/thrown.ts';
import { isJsonObject } from '../../kernel/values/value-kind.ts';
import { failureCode } from '../../messages/failures/failure-facts.ts';
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
 * The fields of one line. What stands at the top is not told again in its `facts`, and what would stand in its
 * place stands there. A `SagaboxError` is told as sagabox itself tells it.
 *
 * @param known by what the line is found: nothing that is told takes its place
 * @param told by the caller of a logger, who may write JavaScript
 */
export function logFields(known: object, told: unknown): Record<string, unknown> {
  const { error, ...fields } = asFields(told);
  if (isSagaboxError(error)) return logFields(logFields(known, failureFields(error)), fields);
  const { facts: knownFacts, ...top } = known as Record<string, unknown>;
  const { facts, ...others } = error === undefined ? fields : { ...fields, error };
  const [free, taken] = divided(others, (name) => top[name] === undefined);
  const line = { ...top, ...free };
  const all = mergedFacts([knownFacts, facts, taken]);
  const kept = withoutRepeated(all, (name, value) => name in line && line[name] === value);
  return kept === undefined ? line : { ...line, facts: kept };
}

/** The fields that may stand at the top of a line, and the others, if there are any. */
export function divided(
  fields: Readonly<Record<string, unknown>>,
  isFree: (name: string) => boolean,
): [free: Record<string, unknown>, taken: Record<string, unknown> | undefined] {
  const entries = Object.entries(fields);
  const taken = entries.filter(([name, value]) => !isFree(name) && value !== undefined);
  const free = entries.filter(([name]) => isFree(name));
  return [Object.fromEntries(free), taken.length === 0 ? undefined : Object.fromEntries(taken)];
}

/** In one object, in which what is no object has the name `facts`; undefined if there are none. */
export function mergedFacts(all: readonly unknown[]): unknown {
  const [first, ...others] = all.filter((facts) => facts !== undefined);
  const asObject = (facts: unknown) => (isJsonObject(facts) && !isError(facts) ? facts : { facts });
  return others.length === 0 ? first : Object.assign({}, ...[first, ...others].map(asObject));
}

function asFields(told: unknown): Record<string, unknown> {
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

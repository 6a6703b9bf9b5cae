import { configurationError, SagaboxError } from '../kernel/errors/errors.ts';
import { describeValue } from '../kernel/errors/thrown.ts';
import { headerValues } from './forms/headers.ts';

/** Reads the idempotency key of an event; undefined if it has none. */
export type IdempotencyKey = (event: never) => string | undefined;

/** Printable characters; `"` and `\` only behind a `\`. Source: "Structured Field Values for HTTP" (RFC 9651). */
const quoted = /^"((?:[ !#-[\]-~]|\\["\\])*)"[ \t]*(?:;.*)?$/;
/** As clients send it without the quotes: no space, and nothing that means something in a list of values. */
const bare = /^[!#-+\--:<-[\]-~]+$/;
/** A token. Source: "HTTP Semantics" (RFC 9110). */
const headerName = /^[!#$%&'*+.^_`|~\w-]+$/;

/**
 * Reads the idempotency key from a header of an HTTP request: a string in quotes, as in `"8e03978e"`, or the
 * same without them. Parameters behind a `;` are ignored. Source: "The Idempotency-Key HTTP Header Field",
 * IETF draft 07 (2025-10).
 *
 * @param name in any case. @default 'Idempotency-Key'
 * @returns a function that returns the key, or undefined for a request without the header; it throws a
 *   SagaboxError `InvalidIdempotencyKey` for a header that is empty, malformed or there more than once
 * @throws SagaboxError `Configuration` for what is not the name of a header
 * @example
 * ```ts
 * import { idempotencyKeyHeader, outboxSession } from 'sagabox';
 *
 * export const session = outboxSession({ idempotencyKey: idempotencyKeyHeader() });
 * ```
 */
export function idempotencyKeyHeader(name = 'Idempotency-Key'): (event: unknown) => string | undefined {
  if (typeof name !== 'string' || !headerName.test(name)) {
    const problem = `${describeValue(name)} is not the name of a header`;
    throw configurationError('idempotencyKeyHeader', problem, "Give one such as 'Idempotency-Key'");
  }
  const wanted = name.toLowerCase();
  return (event) => {
    const values = headerValues(event, wanted);
    const [value, ...more] = values;
    if (value === undefined) return undefined;
    if (more.length > 0) throw invalid(`the header '${name}' is there ${values.length} times`);
    return keyIn(value.trim(), name);
  };
}

function keyIn(value: string, name: string): string {
  const [, content] = quoted.exec(value) ?? [];
  const key = content?.replace(/\\(["\\])/g, '$1') ?? (bare.test(value) ? value : undefined);
  if (key) return key;
  throw invalid(`the header '${name}' is neither a string in double quotes nor the same without them`);
}

function invalid(detail: string): SagaboxError<'InvalidIdempotencyKey'> {
  return new SagaboxError('InvalidIdempotencyKey', { detail });
}

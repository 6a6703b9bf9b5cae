import { isJsonObject } from '../../kernel/values/value-kind.ts';
import { JsonCopy } from './json-copy.ts';
import { divided, mergedFacts } from './log-fields.ts';

/**
 * A line fits into a pipe at once: Lambda reads what is longer in parts, and each is an event of its own.
 * CloudWatch Logs takes events of up to 1 MB. Sources: "pipe(7)" of the Linux manual, "PutLogEvents" in the
 * Amazon CloudWatch Logs API Reference.
 */
export const MAX_LINE_BYTES = 64 * 1024;

/** For what marks a cut, and the end of the line. */
const RESERVED_BYTES = 1024;

/** `_aws` at the top makes metrics of a line. Source: "Specification: Embedded metric format". */
const reserved: ReadonlySet<string> = new Set(['truncated', '_aws']);

/** What each line begins with; Lambda filters by level and timestamp. */
export interface LineHead {
  /** ISO 8601. */
  readonly timestamp: string;
  readonly level: string;
  readonly message: string;
  /** Of the invocation. */
  readonly requestId?: string | undefined;
}

/**
 * A line of JSON, without its end. Never throws: what cannot be told is left out, and `truncated` says so. A
 * field that has the name of one of the head's, or this one, stands in `facts`; so does one of which CloudWatch would
 * make metrics: the fields may be a message, and its sender must not make any.
 */
export function logLine(head: LineHead, fields: Readonly<Record<string, unknown>>): string {
  const copy = new JsonCopy(MAX_LINE_BYTES - RESERVED_BYTES);
  const top = copy.of(head) as object;
  const told = copy.of(fields);
  const { facts, ...others } = isJsonObject(told) ? told : { facts: told };
  const [free, taken] = divided(others, (name) => !Object.hasOwn(top, name) && !reserved.has(name));
  return JSON.stringify({
    ...top,
    ...free,
    facts: mergedFacts([facts, taken]),
    truncated: copy.wasCut || undefined,
  });
}

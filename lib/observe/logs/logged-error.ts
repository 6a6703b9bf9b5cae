import { codesWithStack, isSagaboxError } from '../../kernel/errors/errors.ts';
import { describeValue, isError, readableEntries, stringOf } from '../../kernel/errors/thrown.ts';

/** An error as a log line tells it: the same for every logger. */
export interface LoggedError {
  /** Absent for a thrown value that is no error. */
  readonly name?: string;
  /** Of a cause; that of a failure stands at the top of its line. */
  readonly code?: unknown;
  readonly message: string;
  /** The places alone, without name and message. Absent for a failure that is expected. */
  readonly stack?: string;
  readonly cause?: unknown;
  /** Of an `AggregateError`. */
  readonly errors?: readonly unknown[];
  /** What else stands in an error of a library. */
  readonly [field: string]: unknown;
}

const MAX_CAUSES = 5;
const MAX_ERRORS = 5;

/** What of an error is named by itself. */
const ownNames: ReadonlySet<string> = new Set(['name', 'message', 'stack', 'cause', 'errors']);

/**
 * A `SagaboxError` says cause and remedy in its message, so it has a stack only if that shows a line of the
 * user's code; an error of the AWS SDK that caused one has none either. All others keep theirs.
 *
 * @param depth how many errors it is the cause of
 * @returns fields of the error as they are: they may be no JSON
 * @throws what a proxy or a getter throws that the user made
 */
export function loggedError(thrown: unknown, depth = 0, isOfSagabox = false): LoggedError {
  if (!isError(thrown)) return { message: describeValue(thrown) };
  const name = stringOf(() => thrown.name);
  const message = stringOf(() => thrown.message);
  const isOurs = isSagaboxError(thrown);
  const isCall = isOfSagabox && '$metadata' in thrown;
  const hasStack = isOurs ? codesWithStack.has(thrown.code) : !isCall;
  const stack = hasStack ? framesOf(thrown, `${name}: ${message}`) : '';
  return {
    ...(isOurs || isCall ? {} : fieldsOf(thrown)),
    name,
    ...(isOurs && { code: thrown.code }),
    message,
    ...(stack !== '' && { stack }),
    ...causeOf(thrown, depth, isOurs),
  };
}

function causeOf(error: Error, depth: number, isOurs: boolean): Pick<LoggedError, 'cause' | 'errors'> {
  const { cause, errors } = error as Error & { errors?: unknown };
  const isLast = depth >= MAX_CAUSES;
  const next = (each: unknown) => loggedError(each, depth + 1, isOurs);
  return {
    ...(cause !== undefined && !isLast && { cause: next(cause) }),
    ...(Array.isArray(errors) && !isLast && { errors: errors.slice(0, MAX_ERRORS).map(next) }),
  };
}

function fieldsOf(error: Error): Record<string, unknown> {
  return Object.fromEntries(readableEntries(error).filter(([name]) => !ownNames.has(name)));
}

/** The lines of the stack below its head, which repeats name and message. */
function framesOf(error: Error, head: string): string {
  const stack = stringOf(() => error.stack ?? '');
  if (stack.startsWith(head)) return stack.slice(head.length).replace(/^\n/, '');
  const first = stack.search(/\n +at /);
  return first === -1 ? stack : stack.slice(first + 1);
}

import { isError, stringOf, thrownMessage } from '../../kernel/errors/thrown.ts';

/** What Lambda answers of an invocation that failed. */
export interface FunctionError {
  /** The name of the error, such as `TypeError`; of what is no error, its JavaScript type. */
  readonly errorType: string;
  readonly errorMessage: string;
  /** The lines of the stack. `undefined` if no handler threw: its instance died, or its time was over. */
  readonly trace?: readonly string[];
}

/** As the Node runtime of Lambda reports what a handler throws. */
export function functionErrorOf(thrown: unknown): FunctionError {
  if (!isError(thrown)) return { errorType: typeof thrown, errorMessage: stringOf(() => thrown), trace: [] };
  return {
    errorType: stringOf(() => thrown.name),
    errorMessage: thrownMessage(thrown),
    trace: stringOf(() => thrown.stack ?? '').split('\n'),
  };
}

export function exitError(errorMessage = 'The instance ended before it answered'): FunctionError {
  return { errorType: 'Runtime.ExitError', errorMessage };
}

export function timeoutError(timeoutMs: number): FunctionError {
  return {
    errorType: 'Sandbox.Timedout',
    errorMessage: `Task timed out after ${timeoutMs / 1_000} seconds`,
  };
}

/** For people: the stack of what a handler threw, else the message. */
export function functionErrorText({ errorMessage, trace = [] }: FunctionError): string {
  return trace.length > 0 ? trace.join('\n') : errorMessage;
}

import { isError } from './thrown.ts';

/** Of the SDK: the request may have been done, or never have come there. */
const timeoutErrors = /^(Request)?Timeout/;

/** Of Node, such as ECONNRESET; its own begin with ERR. Source: "Common system errors" of Node. */
const connectionCodes = /^E(?!RR_)/;

interface SdkError extends Error {
  readonly code?: string;
  readonly $metadata?: { readonly httpStatusCode?: number };
}

/**
 * Whether an AWS service gave no answer of its own to a call: a timeout, a broken connection, or a status of
 * 500 and above. What was asked for may have been done, and any other call would most likely fail alike.
 */
export function gaveNoAnswer(error: unknown): boolean {
  if (!isError(error)) return false;
  const { name, code, $metadata } = error as SdkError;
  const isOfConnection = timeoutErrors.test(name) || connectionCodes.test(code ?? '');
  return isOfConnection || ($metadata?.httpStatusCode ?? 0) >= 500;
}

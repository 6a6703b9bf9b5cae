import { type ErrorCode, isSagaboxError } from '../kernel/errors/errors.ts';
import type { HttpAnswer } from './forms/event-form.ts';

/** Source: "The Idempotency-Key HTTP Header Field", IETF draft 07 (2025-10). */
const problems: Partial<Record<ErrorCode, { readonly status: number; readonly title: string }>> = {
  IdempotencyKeyMissing: { status: 400, title: 'Bad Request' },
  InvalidIdempotencyKey: { status: 400, title: 'Bad Request' },
  RequestInProgress: { status: 409, title: 'Conflict' },
  IdempotencyKeyReused: { status: 422, title: 'Unprocessable Content' },
};

export interface HttpResponse {
  readonly statusCode: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly multiValueHeaders?: Readonly<Record<string, readonly string[]>>;
  readonly body: string;
  readonly isBase64Encoded: false;
}

/**
 * The answer to a client whose request cannot be taken for what it is; undefined for an error of another
 * kind. Source of its form: "Problem Details for HTTP APIs" (RFC 9457).
 */
export function problemResponse(error: unknown, { answersInLists }: HttpAnswer): HttpResponse | undefined {
  if (!isSagaboxError(error)) return undefined;
  const { code, message: detail } = error;
  const problem = problems[code];
  if (problem === undefined) return undefined;
  const { status: statusCode, title } = problem;
  const headers = {
    'content-type': 'application/problem+json',
    ...(statusCode === 409 && { 'retry-after': '1' }),
  };
  const inLists = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, [value]]));
  return {
    statusCode,
    ...(answersInLists ? { multiValueHeaders: inLists } : { headers }),
    body: JSON.stringify({ title, status: statusCode, detail, code }),
    isBase64Encoded: false,
  };
}

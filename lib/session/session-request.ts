import type { Context as LambdaContext } from 'aws-lambda';
import { configurationError, SagaboxError } from '../kernel/errors/errors.ts';
import { describeValue } from '../kernel/errors/thrown.ts';
import { headerNames, isTraceParent } from '../messages/headers.ts';
import type { IncomingMessage } from '../messages/message.ts';
import { derivedId } from '../messages/message-id.ts';
import type { EventForm, EventId, HttpAnswer } from './forms/event-form.ts';
import { headerValues } from './forms/headers.ts';
import { eventFormOf } from './forms/read-event-form.ts';

/** How requests are told apart. */
export interface RequestIdentityRules {
  readonly endpoint: string;
  readonly operation?: string | undefined;
  readonly idempotencyKey?: ((event: never) => string | undefined) | undefined;
  readonly requireIdempotencyKey?: boolean | undefined;
  readonly caller?: ((event: never) => string | undefined) | undefined;
  readonly scope?: 'public' | undefined;
}

/** What a session knows of the event that it is for. */
export interface SessionRequest {
  /** What its outbox record is stored under, and what the ids of its messages derive from. */
  readonly id: string;
  /** Whether it may come again under its id: then its response is stored, and found. */
  readonly isRepeatable: boolean;
  readonly type: string;
  /** What tells another request under the same id; undefined if nothing does. */
  readonly content: unknown;
  readonly headers: Readonly<Record<string, string>>;
  /** Undefined for an event whose answer has no status. */
  readonly http: HttpAnswer | undefined;
}

/** What Lambda and the constructs say of the invocation; nothing outside of it. */
export interface InvocationFacts extends Partial<Pick<LambdaContext, 'awsRequestId'>> {
  /** Of the function: an event that tells no operation is told apart by it. */
  readonly functionName?: string | undefined;
}

/**
 * @param invocation its request id is the same when Lambda tries an asynchronous one again
 * @param newId for a request that nothing identifies
 * @throws SagaboxError `InvalidIdempotencyKey`, `IdempotencyKeyMissing`, `UnknownHttpEvent`; `Configuration` for a
 *   key without a caller
 */
export function sessionRequest(
  event: unknown,
  rules: RequestIdentityRules,
  { awsRequestId, functionName }: InvocationFacts,
  newId: () => string,
): SessionRequest {
  const form = eventFormOf(event);
  const key = keyOf(event, rules);
  const identity: EventId | undefined =
    key === undefined
      ? ownIdentity(event, form, awsRequestId)
      : ['key', callerOf(event, form, rules) ?? null, key];
  // A request has its operation by itself: its route may move to another function.
  const operation = rules.operation ?? (form.kind === 'request' ? undefined : functionName);
  const traceParent = form.kind === 'request' ? headerValues(event, headerNames.traceParent)[0] : undefined;
  return {
    id: identity ? derivedId('session', rules.endpoint, operation ?? null, form.place, identity) : newId(),
    isRepeatable: identity !== undefined,
    type: form.type,
    content: contentOf(event, form, key),
    headers: isTraceParent(traceParent) ? { [headerNames.traceParent]: traceParent } : {},
    http: form.kind === 'request' ? form.http : undefined,
  };
}

/** Of an event without a key. */
function ownIdentity(event: unknown, form: EventForm, requestId: string | undefined): EventId | undefined {
  if (form.kind === 'service' && form.id) return form.id;
  // Nothing tries an HTTP request again by itself: the request id of Lambda would not find it.
  if (form.kind === 'request' && form.http) return undefined;
  return requestId ? idInInvocation(event, requestId) : undefined;
}

/** One invocation may have several sessions, one for each record that it got. */
function idInInvocation(event: unknown, requestId: string): EventId | undefined {
  try {
    return ['request', requestId, JSON.stringify(event) ?? null];
  } catch {
    // It is not from Lambda, and two of them may be the same by all that is known.
    return undefined;
  }
}

function contentOf(event: unknown, form: EventForm, key: string | undefined): unknown {
  if (form.kind === 'request') return form.content;
  // A service that delivers an event again may give it another time, or a counter of its attempts.
  if (form.kind === 'service' || key === undefined) return undefined;
  try {
    return JSON.parse(JSON.stringify(event) ?? 'null');
  } catch {
    // It is not from Lambda: all that is known of it is its key.
    return undefined;
  }
}

function keyOf(event: unknown, rules: RequestIdentityRules): string | undefined {
  const { idempotencyKey, requireIdempotencyKey } = rules;
  const key: unknown = idempotencyKey?.(event as never);
  if (key === undefined) {
    if (requireIdempotencyKey) throw new SagaboxError('IdempotencyKeyMissing', {});
    return undefined;
  }
  if (typeof key !== 'string') throw notAString('idempotencyKey', key);
  if (key === '') throw new SagaboxError('InvalidIdempotencyKey', { detail: 'it is empty' });
  return key;
}

/**
 * Whose keys are told apart from those of others: nobody is to get the answer to somebody else's request. Only an
 * event that a service makes needs no caller.
 */
function callerOf(
  event: unknown,
  form: EventForm,
  { caller, scope }: RequestIdentityRules,
): string | undefined {
  if (scope === 'public') return undefined;
  if (caller === undefined && form.kind === 'service') return undefined;
  const principal = form.kind === 'request' ? form.principal : undefined;
  const given: unknown = caller ? caller(event as never) : principal;
  if (given !== undefined && typeof given !== 'string') throw notAString('caller', given);
  if (given !== undefined && given !== '') return given;
  throw configurationError(
    'caller',
    caller
      ? 'it returned no caller for an event with an idempotency key'
      : form.kind === 'request'
        ? 'a request has an idempotency key, and no authorizer of the API tells who sent it'
        : 'an event has an idempotency key, and its form does not tell who sent it',
    "Give a function of the event that returns the caller, or scope: 'public' if all callers share their keys",
  );
}

function notAString(setting: string, value: unknown): SagaboxError<'Configuration'> {
  const problem = `it returned ${describeValue(value)}`;
  return configurationError(setting, problem, 'Return a string, or undefined');
}

/** As a unit of work and its record take it; no handler gets it. */
export function requestMessage(request: SessionRequest, at: Date): IncomingMessage {
  const { id, type, content: body, headers } = request;
  return { id, type, body, headers, receiveCount: 1, sentAt: at, record: undefined as never };
}

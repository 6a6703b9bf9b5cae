import type { Context as LambdaContext } from 'aws-lambda';
import { isJsonObject } from '../checks/value-kind.ts';
import { configurationError, SagaboxError } from '../failures/errors.ts';
import { describeValue } from '../failures/thrown.ts';
import { headerNames, isTraceParent } from '../incoming/headers.ts';
import type { IncomingMessage } from '../incoming/message.ts';
import { derivedId } from '../outgoing/message-id.ts';
import { type HttpRequest, headerValues, httpRequestOf } from './http-request.ts';

/** How requests are told apart. */
export interface RequestIdentityRules {
  readonly endpoint: string;
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
  readonly http: HttpRequest | undefined;
}

/** What Lambda says of the invocation; nothing outside of it. */
export type InvocationFacts = Partial<Pick<LambdaContext, 'awsRequestId' | 'functionName'>>;

/**
 * @param invocation its request id is the same when Lambda tries an asynchronous one again
 * @param newId for a request that nothing identifies
 * @throws SagaboxError `InvalidIdempotencyKey`, `IdempotencyKeyMissing`; `Configuration` for a key of an HTTP
 *   request without a caller
 */
export function sessionRequest(
  event: unknown,
  rules: RequestIdentityRules,
  invocation: InvocationFacts,
  newId: () => string,
): SessionRequest {
  const http = httpRequestOf(event);
  const key = keyOf(event, rules);
  return http
    ? httpSessionRequest(event, http, key, rules, newId)
    : eventSessionRequest(event, key, rules, invocation, newId);
}

function httpSessionRequest(
  event: unknown,
  http: HttpRequest,
  key: string | undefined,
  rules: RequestIdentityRules,
  newId: () => string,
): SessionRequest {
  const place = [http.method, http.route];
  const id = key && derivedId('session', rules.endpoint, place, callerOf(event, http, rules) ?? null, key);
  const traceParent = headerValues(event, headerNames.traceParent)[0];
  return {
    // Nothing tries it again by itself: the request id of Lambda would not find it.
    id: id ?? newId(),
    isRepeatable: id !== undefined,
    type: `${http.method} ${http.route}`,
    content: http.content,
    headers: isTraceParent(traceParent) ? { [headerNames.traceParent]: traceParent } : {},
    http,
  };
}

/** Two functions of an endpoint may get one event: each of them handles it. */
function eventSessionRequest(
  event: unknown,
  key: string | undefined,
  rules: RequestIdentityRules,
  { awsRequestId, functionName }: InvocationFacts,
  newId: () => string,
): SessionRequest {
  const { type, id: eventId } = eventFacts(event);
  const keyed = key && ['session', callerOf(event, undefined, rules) ?? null, key];
  const identity = keyed ?? eventId ?? (awsRequestId ? idInInvocation(event, awsRequestId) : undefined);
  return {
    id: identity ? derivedId(rules.endpoint, functionName ?? null, identity) : newId(),
    isRepeatable: identity !== undefined,
    type,
    // An event that comes again may have another time, or a counter of its attempts.
    content: undefined,
    headers: {},
    http: undefined,
  };
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

/** Whose keys are told apart from those of others: nobody is to get the answer to somebody else's request. */
function callerOf(
  event: unknown,
  http: HttpRequest | undefined,
  { caller, scope }: RequestIdentityRules,
): string | undefined {
  if (scope === 'public') return undefined;
  const given: unknown = caller ? caller(event as never) : http?.principal;
  if (given !== undefined && typeof given !== 'string') throw notAString('caller', given);
  if (given !== undefined && given !== '') return given;
  if (http === undefined && caller === undefined) return undefined;
  throw configurationError(
    'caller',
    caller
      ? 'it returned no caller for a request with an idempotency key'
      : 'a request has an idempotency key, and no authorizer of the API tells who sent it',
    "Give a function of the event that returns the caller, or scope: 'public' if all callers share their keys",
  );
}

type EventId = readonly (string | null)[];

interface EventFacts {
  readonly type: string;
  readonly id: EventId | undefined;
}

/** Of an event that is no HTTP request: the id that it has whenever it is delivered. */
function eventFacts(event: unknown): EventFacts {
  if (!isJsonObject(event)) return { type: ANY_EVENT, id: undefined };
  return (
    eventBridgeFacts(event) ??
    scheduleFacts(event) ??
    streamFacts(event) ?? { type: ANY_EVENT, id: undefined }
  );
}

const ANY_EVENT = 'Event';

type Fields = Readonly<Record<string, unknown>>;

function eventBridgeFacts({ id, source, 'detail-type': type, detail }: Fields): EventFacts | undefined {
  const isEvent = isName(id) && isName(source) && typeof type === 'string' && detail !== undefined;
  return isEvent ? { type, id: ['event', id] } : undefined;
}

/**
 * Of the input of an EventBridge Scheduler schedule that carries its context attributes. Its execution id is
 * that of one attempt, and the time is the same for all of them; so the time goes first. Source: "Adding
 * context attributes" in the EventBridge Scheduler User Guide.
 */
function scheduleFacts({ scheduleArn, scheduledTime, executionId }: Fields): EventFacts | undefined {
  if (!isName(scheduleArn) || !/^arn:[^:]+:scheduler:/.test(scheduleArn)) return undefined;
  const occurrence = isName(scheduledTime) ? scheduledTime : executionId;
  const id: EventId | undefined = isName(occurrence) ? ['schedule', scheduleArn, occurrence] : undefined;
  return { type: 'Scheduled', id };
}

/** Of one record of a stream: its id is unique within the stream. */
function streamFacts({ eventSource, eventSourceARN, eventID, eventName }: Fields): EventFacts | undefined {
  const isRecord = eventSource === 'aws:kinesis' || eventSource === 'aws:dynamodb';
  if (!isRecord || !isName(eventID)) return undefined;
  const stream = isName(eventSourceARN) ? eventSourceARN : null;
  return { type: isName(eventName) ? eventName : eventSource, id: ['stream', stream, eventID] };
}

function isName(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
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

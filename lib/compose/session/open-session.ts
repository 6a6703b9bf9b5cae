import { randomUUID } from 'node:crypto';
import type { Context as LambdaContext } from 'aws-lambda';
import type { Flow } from '../../attempt/attempt.ts';
import { isRunning } from '../../handlers/running-handlers.ts';
import { configurationError } from '../../kernel/errors/errors.ts';
import { eventFormOf } from '../../session/forms/read-event-form.ts';
import { Session } from '../../session/line/session.ts';
import type { Answer, SessionRules } from '../../session/line/session-attempt.ts';
import { problemResponse } from '../../session/problem-response.ts';
import { type SessionRequest, sessionRequest } from '../../session/session-request.ts';
import { assertOptions, sessionChecks } from '../assert-options.ts';
import { flowOnce } from '../flow-source.ts';
import { type AttemptContext, attemptStateOf } from '../handler/open-context.ts';
import { untilLinesWritten, usualDeadline } from '../invocation.ts';
import { emittedMetrics } from '../metrics/emitted-metrics.ts';
import { type RemainingMs, remainingTime } from '../remaining-time.ts';
import { exclusiveDurations, exclusiveSettings } from './exclusive-setting.ts';
import type { OutboxSessionOptions } from './session-options.ts';

/** An open session, or the answer to a request that no session is opened for. */
export type Opened =
  | { readonly answer: Answer }
  | {
      readonly session: Session;
      /** Called once the session has ended; never throws. */
      readonly leave: () => Promise<void>;
    };

type Context = Partial<LambdaContext> & AttemptContext;

/** The dependencies of sessions. */
export interface SessionParts {
  /** Called with the first event, not when the module loads. */
  readonly makeFlow: () => Flow;
  /** Called before `makeFlow`. @default - there is nothing to load */
  readonly loadSettings?: (remainingMs: RemainingMs) => Promise<void>;
  /** Returns the name of the function, by its environment. @default - the name in its context */
  readonly functionNameOf?: (context: Context) => string | undefined;
  /** Called with each request before its session begins; its errors fail the request. */
  readonly onRequest?: (request: SessionRequest) => void;
}

export type OpenSession = (event: unknown, context: Context) => Promise<Opened>;

/**
 * @param of the function that the options are given to
 * @param parts the dependencies of the sessions
 * @throws SagaboxError `Configuration`
 */
export function sessionOpener(
  of: string,
  options: OutboxSessionOptions,
  { makeFlow, loadSettings, functionNameOf, onRequest }: SessionParts,
): OpenSession {
  assertOptions(of, options, sessionChecks);
  const { operation, caller, scope, idempotencyKey, requireIdempotencyKey } = options;
  const { commitsStatus = isNoServerError } = options;
  if (caller && scope) {
    throw configurationError('caller', "it is given together with scope: 'public'", 'Give one of them');
  }
  if (requireIdempotencyKey && idempotencyKey === undefined) {
    const problem = 'it is true, and no function reads the key of a request';
    throw configurationError(
      'requireIdempotencyKey',
      problem,
      'Give idempotencyKey: idempotencyKeyHeader(), say',
    );
  }
  const identity = { operation, caller, scope, idempotencyKey, requireIdempotencyKey };
  const durations = exclusiveDurations(options.exclusive);
  const startMetrics = emittedMetrics(options);
  const flowOf = flowOnce(makeFlow, loadSettings);

  return async (event, context) => {
    if (context[attemptStateOf] || isRunning(context)) throw usedTwice(of);
    const flow = await flowOf(context);
    const { endpoint } = flow;
    let request: SessionRequest;
    try {
      const { awsRequestId } = context;
      const functionName = functionNameOf ? functionNameOf(context) : context.functionName;
      const invocation = { functionName, ...(awsRequestId !== undefined && { awsRequestId }) };
      request = sessionRequest(event, { ...identity, endpoint }, invocation, randomUUID);
      onRequest?.(request);
    } catch (error) {
      const form = eventFormOf(event);
      const problem = form.kind === 'request' && form.http && problemResponse(error, form.http);
      if (problem) return { answer: { response: problem } };
      throw error;
    }
    const remainingMs = remainingTime(context);
    const exclusive = exclusiveSettings(durations, flow.ports, remainingMs());
    const rules: SessionRules = { commitsStatus, random: Math.random, exclusive };
    const metrics = startMetrics?.(endpoint);
    const deadline = usualDeadline(remainingMs, 'request');
    const session = new Session({ flow, request, rules, deadline, metrics, tracing: options.tracing });
    // A `sagaOutbox` or another session within finds that the event has a session.
    context[attemptStateOf] = session.state;
    const leave = async () => {
      if (context[attemptStateOf] === session.state) delete context[attemptStateOf];
      metrics?.emit();
      await untilLinesWritten(deadline);
    };
    return { session, leave };
  };
}

function isNoServerError(statusCode: number): boolean {
  return statusCode < 500;
}

function usedTwice(of: string) {
  return configurationError(
    of,
    'the event has a session, or is a message of sqsBatch, already',
    'Use one outboxSession for an event, and sagaOutbox within sqsBatch',
  );
}

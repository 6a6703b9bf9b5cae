import type { MiddlewareObj, Request } from '@middy/core';
import { SagaboxError } from '../core/failures/errors.ts';
import type { HandlerContext } from '../core/handlers/handler-context.ts';
import { isRunning } from '../core/handlers/running-handlers.ts';
import { type EnvelopeOptions, readEnvelope } from '../core/incoming/envelope.ts';
import { copyOf, type IncomingMessage } from '../core/incoming/message.ts';
import { type Flow, type Handling, startAttempt } from '../flow/attempt.ts';
import { AttemptState } from '../flow/batch/attempt-state.ts';
import { Delivery } from '../flow/batch/delivery.ts';
import { InvocationTime } from '../flow/batch/invocation-time.ts';
import { SagaTurns } from '../flow/batch/saga-turns.ts';
import { begin } from '../flow/begin.ts';
import { complete } from '../flow/complete.ts';
import { type AttemptContext, attemptStateOf } from './attempt-context.ts';
import { timeMargins } from './recoverability-settings.ts';
import { startSystemTimer } from './system-timer.ts';

const defaultMargins = timeMargins({});

type MessageRequest = Request<IncomingMessage, unknown, Error, HandlerContext>;

/** Answers a request early, without its handler: the message is done. Middy takes anything but undefined. */
const DONE = null;

export type OutboxMiddleware = MiddlewareObj<IncomingMessage, unknown, Error, HandlerContext>;

/**
 * `sagaOutbox` on any ports.
 *
 * @param makeFlow called with the first message, not when the module loads: a test may load it where no table
 *   is configured
 */
export function outboxMiddleware(
  makeFlow: (context: HandlerContext) => Flow,
  envelope: EnvelopeOptions,
): OutboxMiddleware {
  let flow: Flow | undefined;
  // Not in `request.internal`: middy 6 shares that between requests when its plugin has one.
  const begun = new WeakMap<MessageRequest, BegunAttempt>();

  const before = async (request: MessageRequest) => {
    const { context, event } = request;
    const entered = enter(context);
    const { state, signal, leave } = entered;
    begun.set(request, entered);
    state.begin(event.id);
    flow ??= makeFlow(context);
    const attempt = startAttempt(flow, isMessage(event) ? event : readEnvelope(event, envelope), {
      delivery: state.delivery,
      signal,
    });
    state.started(attempt);
    const handling = await begin(attempt);
    if (handling === undefined) {
      state.complete();
      begun.delete(request);
      leave();
      return DONE;
    }

    await state.open(handling);
    begun.set(request, { ...entered, handling });
    request.event = copyOf(handling.message);
    Object.assign(context, handling.work.context, {
      logger: handling.logger,
      signal: attempt.signal,
      ...(handling.draft && { saga: handling.draft.saga }),
    });
    return undefined;
  };

  const after = async (request: MessageRequest) => {
    const { state, leave, handling } = begun.get(request) as Required<BegunAttempt>;
    // A query builder, say, does its work when it is first awaited, and middy awaits promises only.
    request.response = await request.response;
    if (isRunning(request.context))
      throw new SagaboxError('CommitSkipped', { messageId: handling.message.id });
    state.commit();
    await complete(handling);
    state.complete();
    begun.delete(request);
    leave();
  };

  const onError = async (request: MessageRequest) => {
    const attempt = begun.get(request);
    begun.delete(request);
    attempt?.leave();
    await attempt?.state.end(request.error);
  };

  return { before, after, onError };
}

interface EnteredAttempt {
  readonly state: AttemptState;
  readonly signal: AbortSignal;
  readonly leave: () => void;
}

interface BegunAttempt extends EnteredAttempt {
  readonly handling?: Handling;
}

/**
 * The attempt that sqsBatch began. Outside of it the message has one of its own, which is in the context
 * until it ends, and a signal of its own: what listens to that of the context must not outlive the message.
 */
function enter(context: HandlerContext & AttemptContext): EnteredAttempt {
  const given = context[attemptStateOf];
  if (given) return { state: given, signal: context.signal, leave: () => {} };
  const remainingMs = () => context.getRemainingTimeInMillis?.() ?? Number.POSITIVE_INFINITY;
  const time = new InvocationTime(remainingMs, defaultMargins, startSystemTimer);
  const state = new AttemptState(new Delivery(new SagaTurns(), time));
  context[attemptStateOf] = state;
  const controller = new AbortController();
  const { signal: outer } = context;
  const abort = () => controller.abort(outer?.reason);
  if (outer?.aborted) abort();
  outer?.addEventListener('abort', abort);
  const leave = () => {
    outer?.removeEventListener('abort', abort);
    delete context[attemptStateOf];
  };
  return { state, signal: controller.signal, leave };
}

function isMessage(event: unknown): event is IncomingMessage {
  return typeof event === 'object' && event !== null && 'record' in event && 'receiveCount' in event;
}

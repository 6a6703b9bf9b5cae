import type { MiddlewareObj, Request } from '@middy/core';
import type { OpenMessage } from '../../attempt/attempt.ts';
import { Delivery } from '../../attempt/delivery.ts';
import type { HandlerContext } from '../../handlers/handler-context.ts';
import { isRunning } from '../../handlers/running-handlers.ts';
import { SagaboxError } from '../../kernel/errors/errors.ts';
import { type EnvelopeOptions, readEnvelope } from '../../messages/envelope.ts';
import { copyOf, type IncomingMessage } from '../../messages/message.ts';
import { AttemptState } from '../../pipeline/attempt-state.ts';
import type { FlowSource } from '../flow-source.ts';
import { usualDeadline } from '../invocation.ts';
import { remainingTime } from '../remaining-time.ts';
import type { AttemptHandler, MessageHandler } from './batch-handler.ts';
import { type AttemptContext, attemptStateOf, openContext } from './open-context.ts';

/** Handles each attempt by a middy handler, whose `sagaOutbox` finds the attempt in its context. */
export function throughContext(handler: MessageHandler): AttemptHandler {
  const handle = handler as (message: unknown, context: unknown) => unknown;
  return (message, state, signal, ofInvocation) =>
    handle(message, { ...ofInvocation, signal, [attemptStateOf]: state });
}

type MessageRequest = Request<IncomingMessage, unknown, Error, HandlerContext>;

/** The early answer to a request whose message is done: Middy takes anything but undefined. */
const DONE = null;

export type OutboxMiddleware = MiddlewareObj<IncomingMessage, unknown, Error, HandlerContext>;

/** Makes `sagaOutbox` on any ports: the line of {@link handleMessage} in the three hooks of middy. */
export function outboxMiddleware(flowOf: FlowSource, envelope: EnvelopeOptions): OutboxMiddleware {
  // Not in `request.internal`: middy 6 shares that between requests when its plugin has one.
  const running = new WeakMap<MessageRequest, RunningAttempt>();
  const entered = new WeakSet<MessageRequest>();

  const before = async (request: MessageRequest) => {
    const { context, event } = request;
    entered.add(request);
    const attempt = enter(context);
    const { state, signal, leave } = attempt;
    running.set(request, attempt);
    state.begin();
    const flow = await flowOf(context);
    const received = isMessage(event) ? event : readEnvelope(event, envelope);
    const opened = await state.open(flow, received, signal);
    if (opened === undefined) {
      running.delete(request);
      leave();
      return DONE;
    }

    running.set(request, { ...attempt, opened });
    request.event = copyOf(opened.message);
    openContext(context, opened);
    return undefined;
  };

  const after = async (request: MessageRequest) => {
    const { state, leave, opened } = running.get(request) as Required<RunningAttempt>;
    // A query builder, say, does its work when it is first awaited, and middy awaits promises only.
    if (request.response !== undefined) request.response = await request.response;
    if (isRunning(request.context)) throw new SagaboxError('CommitSkipped', { messageId: opened.message.id });
    await state.complete(opened);
    running.delete(request);
    leave();
  };

  const onError = async (request: MessageRequest) => {
    const attempt = running.get(request);
    running.delete(request);
    attempt?.leave();
    // A middleware before this one failed: its message must not be acknowledged if the error is swallowed.
    const unbegun = (request.context as AttemptContext)[attemptStateOf];
    if (attempt) await attempt.state.fail(request.error);
    else if (!entered.has(request) && unbegun?.mayBeAcknowledged) await unbegun.fail(request.error);
  };

  return { before, after, onError };
}

interface RunningAttempt {
  readonly state: AttemptState;
  readonly signal: AbortSignal;
  readonly leave: () => void;
  /** Set once the handler may run. */
  readonly opened?: OpenMessage;
}

/**
 * Returns the attempt that sqsBatch began. Outside of sqsBatch, makes one, which is in the context until it
 * ends, with a signal of its own: a listener on the signal of the context must not outlive the message.
 */
function enter(context: HandlerContext & AttemptContext): RunningAttempt {
  const given = context[attemptStateOf];
  if (given) return { state: given, signal: context.signal, leave: () => {} };
  const deadline = usualDeadline(remainingTime(context));
  const state = new AttemptState(new Delivery({ deadline }));
  context[attemptStateOf] = state;
  const controller = new AbortController();
  const { signal: outer } = context;
  const abort = () => controller.abort(outer?.reason);
  if (outer?.aborted) abort();
  outer?.addEventListener('abort', abort);
  const leave = () => {
    outer?.removeEventListener('abort', abort);
    delete context[attemptStateOf];
    // The next message in this context listens to the outer signal.
    Object.assign(context, { signal: outer });
  };
  return { state, signal: controller.signal, leave };
}

function isMessage(event: unknown): event is IncomingMessage {
  return typeof event === 'object' && event !== null && 'record' in event && 'receiveCount' in event;
}

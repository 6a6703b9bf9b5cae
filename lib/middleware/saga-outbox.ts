import type { MiddlewareObj, Request } from '@middy/core';
import { readEnvelope } from '../core/envelope.ts';
import { SagaboxError } from '../core/errors.ts';
import type { HandlerContext } from '../core/handler-context.ts';
import type { IncomingMessage } from '../core/message.ts';
import { isRunning } from '../core/running-handlers.ts';
import { abandon } from '../flow/abandon.ts';
import { type Attempt, type Flow, type Handling, startAttempt } from '../flow/attempt.ts';
import { begin } from '../flow/begin.ts';
import { complete } from '../flow/complete.ts';
import type { Delivery } from '../flow/delivery.ts';
import { assertOptions } from './assert-options.ts';
import { configureFlow } from './configure-flow.ts';
import { defaults } from './defaults.ts';
import { type DeliveryContext, deliveryOf } from './delivery-context.ts';
import type { SagaOutboxOptions } from './options.ts';
import { warnOfShortLease } from './short-lease.ts';

type MessageRequest = Request<IncomingMessage, unknown, Error, HandlerContext>;

/** Answers a request early, without its handler: the message is done. Middy takes anything but undefined. */
const DONE = null;

/**
 * Middy middleware for a handler of one message. Before the handler: dedup check and saga load; after it: commit,
 * dispatch, mark. Wrap the middy handler in {@link sqsBatch}.
 *
 * The event is the message that sqsBatch makes of a record; an SQS record itself does as well.
 *
 * @throws SagaboxError from the hooks, as the table in docs/errors.md says
 * @example
 * ```ts
 * import middy from '@middy/core';
 * import { type HandlerContext, type IncomingMessage, sagaOutbox, sqsBatch } from 'sagabox';
 *
 * async function welcome(message: IncomingMessage, { send }: HandlerContext): Promise<void> {
 *   send('mail', 'WelcomeCustomer', message.body);
 * }
 *
 * export const handler = sqsBatch(middy(welcome).use(sagaOutbox()));
 * ```
 */
export function sagaOutbox(
  options: SagaOutboxOptions = {},
): MiddlewareObj<IncomingMessage, unknown, Error, HandlerContext> {
  assertOptions('sagaOutbox', options);
  let configured: Flow | undefined;
  const attempts = new WeakMap<MessageRequest, Attempt | Handling>();

  const before = async (request: MessageRequest) => {
    const delivery = (request.context as DeliveryContext)[deliveryOf];
    delivery?.beginning(request.event.id);
    // At the first message, not when the module loads: a test may load a handler where no table is configured.
    if (configured === undefined) {
      configured = configureFlow(options);
      warnOfShortLease(configured, request.context.getRemainingTimeInMillis?.() ?? 0);
    }
    const received = isMessage(request.event) ? request.event : readEnvelope(request.event, options);

    const attempt = startAttempt(configured, received, {
      deadline: deadlineOf(configured, delivery, request.context),
      deliveryMeter: delivery?.meter,
      untilEnd: delivery?.untilEnd,
      signal: request.context.signal,
    });
    attempts.set(request, attempt);
    const handling = await begin(attempt, async (saga) => await delivery?.takeTurn(saga));
    if (handling === undefined) {
      delivery?.completed();
      return DONE;
    }

    attempts.set(request, handling);
    delivery?.opened(handling);
    request.event = handling.message;
    Object.assign(request.context, handling.work.context, {
      logger: handling.logger,
      signal: request.context.signal ?? new AbortController().signal,
      ...(handling.draft && { saga: handling.draft.saga }),
    });
    return undefined;
  };

  const after = async (request: MessageRequest) => {
    const handling = attempts.get(request) as Handling;
    const delivery = (request.context as DeliveryContext)[deliveryOf];
    // A query builder, say, does its work when it is first awaited, and middy awaits promises only.
    request.response = await request.response;
    if (isRunning(request.context))
      throw new SagaboxError('CommitSkipped', { messageId: handling.message.id });
    delivery?.committing();
    await complete(handling);
    attempts.delete(request);
    delivery?.completed();
  };

  const onError = async (request: MessageRequest) => {
    const attempt = attempts.get(request);
    if (attempt === undefined) return;
    attempts.delete(request);
    const delivery = (request.context as DeliveryContext)[deliveryOf];
    if (delivery?.failing(attempt) === false) return;
    await abandon(attempt, request.error);
    delivery?.abandoned();
  };

  return { before, after, onError };
}

function isMessage(event: unknown): event is IncomingMessage {
  return typeof event === 'object' && event !== null && 'record' in event && 'receiveCount' in event;
}

/** No wait for a lease goes on when there is too little time left to start the handler; outside of sqsBatch it ends as late. */
function deadlineOf(flow: Flow, delivery: Delivery | undefined, context: HandlerContext): Date | undefined {
  const remainingMs = context.getRemainingTimeInMillis?.();
  const startableForMs =
    delivery?.startableForMs ?? (remainingMs && remainingMs - defaults.timeMargins.startMs) ?? Infinity;
  if (!Number.isFinite(startableForMs)) return undefined;
  return new Date(flow.ports.clock.now().getTime() + startableForMs);
}

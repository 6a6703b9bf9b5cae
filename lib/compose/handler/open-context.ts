import type { OpenMessage } from '../../attempt/attempt.ts';
import type { HandlerContext } from '../../handlers/handler-context.ts';
import type { AttemptState } from '../../pipeline/attempt-state.ts';

/**
 * The key of the attempt in a Lambda context, which is all that middy passes on to its middlewares. A
 * middleware that is used within a handler, with its context or a copy of it, finds that the message has an
 * attempt.
 */
export const attemptStateOf: unique symbol = Symbol('sagabox.attempt');

/** A context with the attempt that runs in it. */
export interface AttemptContext {
  [attemptStateOf]?: AttemptState;
}

/** Adds the functions and data that the handler of an open message gets to a Lambda context. */
export function openContext(
  context: Partial<HandlerContext>,
  { work, logger, signal, draft }: OpenMessage,
): HandlerContext {
  const given = { logger, signal, ...(draft && { saga: draft.saga }) };
  return Object.assign(context, work.context, given) as HandlerContext;
}

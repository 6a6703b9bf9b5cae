import type { HandlerContext } from '../core/handlers/handler-context.ts';
import type { OpenMessage } from '../flow/attempt.ts';

/** Adds to a Lambda context what the handler of an open message gets beside it. */
export function openContext(
  context: Partial<HandlerContext>,
  { work, logger, signal, draft }: OpenMessage,
): HandlerContext {
  const given = { logger, signal, ...(draft && { saga: draft.saga }) };
  return Object.assign(context, work.context, given) as HandlerContext;
}

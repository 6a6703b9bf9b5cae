import type { HandlerContext } from '../core/handlers/handler-context.ts';
import type { OpenMessage } from '../flow/open-message.ts';

/** What a handler gets beside the Lambda context. */
export function openedContext({ work, logger, signal, draft }: OpenMessage): Partial<HandlerContext> {
  return { ...work.context, logger, signal, ...(draft && { saga: draft.saga }) };
}

import type { HandlerContext } from '../../handlers/handler-context.ts';
import { copyOf, type IncomingMessage } from '../../messages/message.ts';
import { handleMessage } from '../../pipeline/handle-message.ts';
import type { FlowSource } from '../flow-source.ts';
import type { AttemptHandler } from './batch-handler.ts';
import { type AttemptContext, attemptStateOf, openContext } from './open-context.ts';

/** A definition's handler for any message: at run time it gets only messages that its definition takes. */
export type LooseHandler = (message: IncomingMessage, context: HandlerContext) => Promise<unknown>;

/** Handles each attempt by the handler of a definition, without middlewares. */
export function directHandler(handle: LooseHandler, flowOf: FlowSource): AttemptHandler {
  return async function handleAttempt(received, state, signal, ofInvocation) {
    state.begin();
    const context: Partial<HandlerContext> & AttemptContext = {
      ...ofInvocation,
      signal,
      [attemptStateOf]: state,
    };
    const flow = await flowOf(context);
    await handleMessage({ flow, received, state, signal }, async (opened) => {
      await handle(copyOf(opened.message), openContext(context, opened));
    });
  };
}

import type { IncomingMessage } from 'sagabox';
import type { SagaRules } from '../../lib/core/saga/define-saga.ts';
import { abandon } from '../../lib/flow/abandon.ts';
import { type Flow, type Handling, startAttempt } from '../../lib/flow/attempt.ts';
import { begin } from '../../lib/flow/begin.ts';
import { complete } from '../../lib/flow/complete.ts';
import type { MessageHandler } from '../../lib/middleware/sqs-batch.ts';

export type PeerSaga = SagaRules & { readonly handler: (message: never, context: never) => unknown };

/** What sagabox does with one message, but at once: whoever else of the same batch works on the same saga. */
export function withoutTurns(flow: Flow, saga: PeerSaga): MessageHandler {
  return async (message: IncomingMessage) => {
    // A delivery of its own, which waits for no other.
    const attempt = startAttempt(flow, message);
    let handling: Handling | undefined;
    try {
      handling = await begin(attempt);
      if (handling === undefined) return;
      const context = { ...handling.work.context, saga: handling.draft?.saga };
      await saga.handler(handling.message as never, context as never);
      await complete(handling);
    } catch (error) {
      await abandon(handling ?? attempt, error);
      throw error;
    }
  };
}

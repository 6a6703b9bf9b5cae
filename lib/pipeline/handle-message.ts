import type { Flow, OpenMessage } from '../attempt/attempt.ts';
import type { IncomingMessage } from '../messages/message.ts';
import type { AttemptState } from './attempt-state.ts';

/** A received message, with the flow, state and signal of an attempt at it. */
export interface ReceivedMessage {
  readonly flow: Flow;
  readonly received: IncomingMessage;
  readonly state: AttemptState;
  readonly signal: AbortSignal;
}

/**
 * Takes a message through the line: open, handler, complete. The caller fails the attempt with any error
 * thrown. The hooks of `sagaOutbox` take the same steps for Middy (`compose/handler/outbox-middleware.ts`).
 *
 * @param handle the user's handler
 */
export async function handleMessage(
  { flow, received, state, signal }: ReceivedMessage,
  handle: (opened: OpenMessage) => unknown,
): Promise<void> {
  // The saga's queue, dedup check, its saga; undefined: nothing is left to do.
  const opened = await state.open(flow, received, signal);
  if (opened === undefined) return;
  await handle(opened);
  // Commit, dispatch, mark.
  await state.complete(opened);
}

import type { Attempt } from '../attempt/attempt.ts';
import { beforeAbort } from '../kernel/async/before-abort.ts';
import { SagaboxError } from '../kernel/errors/errors.ts';
import { headerNames } from '../messages/headers.ts';
import { type IncomingMessage, isTimeout } from '../messages/message.ts';
import type { CorrelatedMessage } from '../saga/definition/define-saga.ts';

export interface ReadMessage {
  /** The message with its body, validated if it belongs to a saga. */
  readonly message: IncomingMessage;
  /** The body before its schema changed it. */
  readonly body: unknown;
  readonly correlated: CorrelatedMessage | undefined;
}

/** Loads the body of the received message, validates it, and finds the saga that it belongs to. */
export async function readMessage(attempt: Attempt): Promise<ReadMessage> {
  const { flow } = attempt;
  const { received } = attempt;
  const message = headerNames.claimCheck in received.headers ? await loadBody(attempt) : received;
  if (flow.saga === undefined) return { message, body: message.body, correlated: undefined };
  const correlated = await beforeAbort(flow.saga.correlate(message), attempt.signal);
  // A timeout belongs to the saga that requested it, and starts none in its place.
  const starts = correlated.starts && !isTimeout(message);
  return { message: correlated.message, body: message.body, correlated: { ...correlated, starts } };
}

/** @throws SagaboxError `ClaimCheckNotFound`, `ClaimCheckFailed` */
export async function loadBody({
  flow,
  received,
  signal,
}: Pick<Attempt, 'flow' | 'received' | 'signal'>): Promise<IncomingMessage> {
  const key = received.headers[headerNames.claimCheck];
  if (key === undefined) return received;
  const { claimChecks } = flow.ports;
  if (claimChecks !== undefined) return await claimChecks.load(received, signal);
  const detail = 'no claim check is configured at this endpoint';
  throw new SagaboxError('ClaimCheckNotFound', { messageId: received.id, key, detail });
}

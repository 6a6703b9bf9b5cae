import type { Context as LambdaContext } from 'aws-lambda';
import type { Contract } from '../../messages/contracts/contract.ts';
import type { AsJson } from '../../session/as-json.ts';
import type { OutboxSessionScope } from '../../session/session-context.ts';
import { remainingTime } from '../remaining-time.ts';
import { assertOneHandler } from './assert-one-handler.ts';
import { awsSessionOpener } from './aws-session-opener.ts';
import { runSession } from './run-session.ts';
import type { HandlerContracts, OutboxSessionOptions, SessionContracts } from './session-options.ts';

export type RunOutboxSessionOptions = OutboxSessionOptions & {
  /**
   * The context of the invocation, in Lambda: its time limits the session, and its request id identifies an
   * event that nothing else identifies.
   *
   * @default - no limit, and an event without an idempotency key is new
   */
  context?: LambdaContext;
};

/**
 * `outboxSession` without Middy, and outside of Lambda too: runs a handler, commits its own writes, its
 * messages and its response as one, and sends the messages.
 *
 * @returns the handler's response, as JSON has it: the first time and each time that the same request comes
 *   again. For an HTTP event it can also be an `application/problem+json` response, in the form that the
 *   event asks for
 * @throws SagaboxError as `outboxSession` does, and the handler's errors; `InvocationTimeout` for a handler
 *   that does not end in time. Nothing was committed or sent then, unless the answer to the commit itself is
 *   missing
 * @example
 * ```ts
 * import { runOutboxSession } from 'sagabox';
 *
 * const file = { name: 'orders-2026-11.csv' };
 * await runOutboxSession(
 *   file,
 *   async ({ name }, { send }) => {
 *     send('orders', 'ImportOrders', { name });
 *   },
 *   { endpoint: 'import', operation: 'import', idempotencyKey: () => file.name, scope: 'public' },
 * );
 * ```
 */
export async function runOutboxSession<
  Event,
  Response,
  const Sends extends readonly Contract[] = readonly Contract[],
  const Publishes extends readonly Contract[] = readonly Contract[],
>(
  event: Event,
  handler: (
    event: Event,
    session: OutboxSessionScope<HandlerContracts<Sends, Publishes>>,
  ) => Response | Promise<Response>,
  { context, ...options }: RunOutboxSessionOptions & SessionContracts<Sends, Publishes> = {},
): Promise<AsJson<Response>> {
  const open = awsSessionOpener('runOutboxSession', options, {
    onRequest: (request) => assertOneHandler(request, handler, options),
  });
  try {
    return (await runSession(open, event, context ?? {}, (scope) =>
      handler(event, scope as never),
    )) as AsJson<Response>;
  } finally {
    await options.tracing?.flush(remainingTime(context)() / 2);
  }
}

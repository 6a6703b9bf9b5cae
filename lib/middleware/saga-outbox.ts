import { senderOf, withParticipants } from '../core/contracts/participant.ts';
import { configurationError, isSagaboxError, type SagaboxError } from '../core/failures/errors.ts';
import type { HandlerContext } from '../core/handlers/handler-context.ts';
import type { Flow } from '../flow/attempt.ts';
import { NotConfigured } from '../flow/recoverability/policy.ts';
import { assertOptions, sagaOutboxChecks } from './assert-options.ts';
import { configureFlow } from './configure-flow.ts';
import { loadSettings } from './load-settings.ts';
import type { SagaOutboxOptions } from './options.ts';
import { type OutboxMiddleware, outboxMiddleware } from './outbox-middleware.ts';

/**
 * Middy middleware for a handler of one message. Before the handler: dedup check and saga load; after it:
 * commit, dispatch, mark. Wrap the middy handler in {@link sqsBatch}.
 *
 * The event is the message that sqsBatch makes of a record; an SQS record itself does as well.
 *
 * @throws SagaboxError from the hooks, as docs/reference/errors.md says
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
export function sagaOutbox(options: SagaOutboxOptions = {}): OutboxMiddleware {
  assertOptions('sagaOutbox', options, sagaOutboxChecks);
  return sagaOutboxOf(options);
}

/** @param options that are checked */
export function sagaOutboxOf(options: SagaOutboxOptions): OutboxMiddleware {
  assertMapper(options);
  const makeFlow = (context: HandlerContext) => {
    try {
      const flow = configureFlow(options);
      warnOfShortLease(flow, context.getRemainingTimeInMillis?.() ?? 0);
      return flow;
    } catch (error) {
      throw asNotConfigured(error);
    }
  };
  const middleware = outboxMiddleware(makeFlow, options, async (remainingMs) => {
    try {
      await loadSettings(process.env, remainingMs);
    } catch (error) {
      throw asNotConfigured(error);
    }
  });
  return withParticipants(middleware, [senderOf(options)]);
}

function assertMapper({ saga, mapper }: SagaOutboxOptions): void {
  if (mapper === undefined || !saga?.hasOwnState) return;
  const problem = `the '${saga.name}' saga has a state of its own, which a mapper would damage`;
  throw configurationError('mapper', problem, 'Give that saga a function of its own, without a mapper');
}

/** Of the environment rather than of one message. */
function asNotConfigured(error: unknown): unknown {
  if (!isSagaboxError(error) || error.code !== 'Configuration') return error;
  const facts = error.facts as SagaboxError<'Configuration'>['facts'];
  return new NotConfigured('Configuration', facts, { cause: error });
}

/**
 * A lease that ends while its handler still runs lets others take the saga over, and the commit is refused.
 *
 * @param remainingMs of the invocation, near its beginning: about the function's timeout
 */
function warnOfShortLease({ leases, logger, endpoint }: Flow, remainingMs: number): void {
  if (!leases?.isForEach) return;
  const { renew, leaseDurationMs } = leases.settings;
  if (renew || leaseDurationMs >= remainingMs) return;
  const functionTimeoutSeconds = Math.ceil(remainingMs / 1000);
  logger.warn(
    "locking.leaseDuration is shorter than the function's timeout: raise it, lower the timeout, or set 'renew'",
    { endpoint, leaseDurationMs, functionTimeoutSeconds },
  );
}

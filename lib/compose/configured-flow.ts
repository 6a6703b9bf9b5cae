import type { Flow } from '../attempt/attempt.ts';
import type { HandlerContext } from '../handlers/handler-context.ts';
import { configurationError, isSagaboxError, type SagaboxError } from '../kernel/errors/errors.ts';
import { NotConfigured } from '../recoverability/policy.ts';
import { configureFlow } from './configure-flow.ts';
import { type FlowSource, flowOnce } from './flow-source.ts';
import { loadSettings } from './load-settings.ts';
import type { SagaOutboxOptions } from './options.ts';

/** The source of the flow of options and environment. @param options already checked */
export function configuredFlow(options: SagaOutboxOptions): FlowSource {
  assertMapper(options);
  const makeFlow = (context: Partial<HandlerContext>) => {
    try {
      const flow = configureFlow(options);
      warnOfShortLease(flow, context.getRemainingTimeInMillis?.() ?? 0);
      return flow;
    } catch (error) {
      throw asNotConfigured(error);
    }
  };
  return flowOnce(makeFlow, async (remainingMs) => {
    try {
      await loadSettings(process.env, remainingMs);
    } catch (error) {
      throw asNotConfigured(error);
    }
  });
}

function assertMapper({ saga, mapper }: SagaOutboxOptions): void {
  if (mapper === undefined || !saga?.hasOwnState) return;
  const problem = `the '${saga.name}' saga has a state of its own, which a mapper would damage`;
  throw configurationError('mapper', problem, 'Give that saga a function of its own, without a mapper');
}

/** Turns a `Configuration` error into one of the environment rather than of one message. */
function asNotConfigured(error: unknown): unknown {
  if (!isSagaboxError(error) || error.code !== 'Configuration') return error;
  const facts = error.facts as SagaboxError<'Configuration'>['facts'];
  return new NotConfigured('Configuration', facts, { cause: error });
}

/**
 * A lease that ends while its handler still runs lets others take the saga over, and the commit is refused.
 *
 * @param remainingMs the time left near the beginning of the invocation: about the function's timeout
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

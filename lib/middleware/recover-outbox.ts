import type { Context as LambdaContext } from 'aws-lambda';
import { SagaboxError } from '../core/failures/errors.ts';
import type { MessageLogger } from '../core/handlers/handler-context.ts';
import { recover } from '../flow/relay/relay.ts';
import type { RecoveryFailure, RecoveryResult } from '../flow/relay/relay-result.ts';
import { assertOptions } from './assert-options.ts';
import { configureRecovery, type Recovery } from './configure-recovery.ts';
import type { RecoverOutboxOptions } from './recovery-options.ts';
import { recoverySettings } from './recovery-settings.ts';
import { startSystemTimer } from './system-timer.ts';

export type RecoveryHandler = (
  event?: unknown,
  context?: Pick<LambdaContext, 'getRemainingTimeInMillis'>,
) => Promise<RecoveryResult>;

/** Kept back at the end of an invocation, for the records in hand to keep what they have sent; at most a fifth of its time. */
const END_MARGIN_MS = 10_000;
const LARGEST_MARGIN_SHARE = 0.2;
const NAMED_FAILURES = 5;

/**
 * Makes a Lambda handler, to be run by a schedule, that dispatches what functions which died left undispatched in the outbox
 * of an endpoint. It is configured as the endpoint's own handler is: by the environment that the constructs set, or by options.
 *
 * The event does not matter. Two runs at once do not send a record twice; what there is no time for waits for the next one.
 *
 * @throws SagaboxError `Configuration` for an option out of range. The handler it returns throws `RecoveryFailed` when
 *   records could not be dispatched, so that the errors of the function tell of it, and what the search ended with; by
 *   then all that could be recovered is.
 * @example
 * ```ts
 * import { recoverOutbox } from 'sagabox';
 *
 * export const handler = recoverOutbox({ olderThan: { minutes: 20 } });
 * ```
 */
export function recoverOutbox(options: RecoverOutboxOptions = {}): RecoveryHandler {
  assertOptions('recoverOutbox', options);
  recoverySettings(options, {});
  const { logger = console } = options;
  let recovery: Recovery | undefined;

  return async (_event, context) => {
    recovery ??= configureRecovery(options);
    const { endpoint, configured, ports, settings } = recovery;
    const controller = new AbortController();
    const cancel = startEndTimer(context, () => controller.abort());
    let result: RecoveryResult;
    try {
      result = await recover(ports, { ...settings, signal: controller.signal });
    } finally {
      cancel();
    }
    const { failed, searchError, ...counts } = result;
    const facts = { endpoint, strategy: configured.strategy, ...counts, failed: failed.length };
    for (const failure of failed)
      logger.error(`An outbox record could not be recovered`, { endpoint, ...failure });
    logger.info('Outbox recovery', facts);
    await tell(options, result, logger);
    if (searchError !== undefined) throw searchError;
    if (failed.length > 0) throw recoveryFailed(endpoint, failed);
    return result;
  };
}

function startEndTimer(context: Parameters<RecoveryHandler>[1], callback: () => void): () => void {
  const remainingMs = context?.getRemainingTimeInMillis?.();
  if (remainingMs === undefined) return () => {};
  const marginMs = Math.min(END_MARGIN_MS, LARGEST_MARGIN_SHARE * remainingMs);
  return startSystemTimer(remainingMs - marginMs, callback);
}

async function tell(
  { onRecovered }: RecoverOutboxOptions,
  result: RecoveryResult,
  logger: MessageLogger,
): Promise<void> {
  try {
    await onRecovered?.(result);
  } catch (error) {
    logger.error('onRecovered failed', { error });
  }
}

function recoveryFailed(endpoint: string, failed: readonly RecoveryFailure[]): SagaboxError {
  const named = failed.slice(0, NAMED_FAILURES).map(({ messageId, code }) => `'${messageId}': ${code}`);
  const failures = failed.length > named.length ? [...named, '…'] : named;
  return new SagaboxError('RecoveryFailed', { endpoint, failed: failed.length, failures });
}

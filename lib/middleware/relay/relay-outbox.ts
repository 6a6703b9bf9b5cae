import type { Context as LambdaContext } from 'aws-lambda';
import { SagaboxError } from '../../core/failures/errors.ts';
import { relayRecords } from '../../flow/relay/relay.ts';
import type { RelayFailure, RelayResult } from '../../flow/relay/relay-result.ts';
import { assertOptions } from '../assert-options.ts';
import { startSystemTimer } from '../system-clock.ts';
import { configureRelay, type Relay, relaySettings } from './configure-relay.ts';
import type { RelayOutboxOptions } from './relay-options.ts';

export type RelayHandler = (
  event?: unknown,
  context?: Pick<LambdaContext, 'getRemainingTimeInMillis'>,
) => Promise<RelayResult>;

/** Kept back for the records in progress to save what they have sent; at most a fifth of the invocation. */
const END_MARGIN_MS = 10_000;
const LARGEST_MARGIN_SHARE = 0.2;
const NAMED_FAILURES = 5;

/**
 * Makes a Lambda handler, to be run by a schedule, that dispatches what functions which died left
 * undispatched in the outbox of an endpoint. It is configured as the endpoint's own handler is: by the
 * environment that the constructs set, or by options.
 *
 * The event does not matter. Two runs at once do not send a record twice; what there is no time for waits for
 * the next one.
 *
 * @throws SagaboxError `Configuration` for an option out of range. The handler it returns throws
 *   `RelayFailed` when records could not be dispatched, so that the errors of the function tell of it, and
 *   what the search ended with; by then all that could be relayed is.
 * @example
 * ```ts
 * import { relayOutbox } from 'sagabox';
 *
 * export const handler = relayOutbox({ olderThan: { minutes: 20 } });
 * ```
 */
export function relayOutbox(options: RelayOutboxOptions = {}): RelayHandler {
  assertOptions('relayOutbox', options);
  relaySettings(options, {});
  const { logger = console, onRelayed } = options;
  let relay: Relay | undefined;

  return async (_event, context) => {
    relay ??= configureRelay(options);
    const { endpoint, configured, ports, settings } = relay;
    const controller = new AbortController();
    const cancel = startEndTimer(context, () => controller.abort());
    let result: RelayResult;
    try {
      result = await relayRecords(ports, { ...settings, signal: controller.signal });
    } finally {
      cancel();
    }
    const { failed, searchError, ...counts } = result;
    const facts = { endpoint, strategy: configured.strategy, ...counts, failed: failed.length };
    for (const failure of failed)
      logger.error('An outbox record could not be relayed', { endpoint, ...failure });
    logger.info('Outbox relay', facts);
    try {
      await onRelayed?.(result);
    } catch (error) {
      logger.error('onRelayed failed', { error });
    }
    if (searchError !== undefined) throw searchError;
    if (failed.length > 0) throw relayFailed(endpoint, failed);
    return result;
  };
}

function startEndTimer(context: Parameters<RelayHandler>[1], callback: () => void): () => void {
  const remainingMs = context?.getRemainingTimeInMillis?.();
  if (remainingMs === undefined) return () => {};
  const marginMs = Math.min(END_MARGIN_MS, LARGEST_MARGIN_SHARE * remainingMs);
  return startSystemTimer(remainingMs - marginMs, callback);
}

function relayFailed(endpoint: string, failed: readonly RelayFailure[]): SagaboxError {
  const named = failed.slice(0, NAMED_FAILURES).map(({ messageId, code }) => `'${messageId}': ${code}`);
  const failures = failed.length > named.length ? [...named, '…'] : named;
  return new SagaboxError('RelayFailed', { endpoint, failed: failed.length, failures });
}

import type { Context as LambdaContext } from 'aws-lambda';
import { settled } from '../../kernel/async/settle.ts';
import { SagaboxError } from '../../kernel/errors/errors.ts';
import type { MessageLogger } from '../../messages/logger.ts';
import { failureFields } from '../../observe/logs/log-fields.ts';
import type { RelayStrategy } from '../../relay/relay-defaults.ts';
import { relayEndpoints } from '../../relay/relay-endpoints.ts';
import type { RelayResult, RelayRunResult } from '../../relay/relay-result.ts';
import { assertOptions, relayOutboxChecks } from '../assert-options.ts';
import { loadSettings } from '../load-settings.ts';
import { loggerOf } from '../logs/logger-of.ts';
import { linesWritten } from '../logs/write-line.ts';
import { remainingTime } from '../remaining-time.ts';
import { startSystemTimer, systemClock } from '../system-clock.ts';
import { configureRelays, type Relays } from './configure-relay.ts';
import type { RelayOutboxOptions } from './relay-options.ts';
import { relaySettings } from './relay-settings.ts';
import { checkWatch, rememberScan } from './relay-watch.ts';
import { assertEndpoints } from './relayed-endpoints.ts';
import { reportRelayMetrics } from './report-relay-metrics.ts';

export type RelayHandler = (
  event?: unknown,
  context?: Pick<LambdaContext, 'getRemainingTimeInMillis'>,
) => Promise<RelayRunResult>;

/** Time for records in progress to save what they have sent; at most a fifth of the invocation. */
const END_MARGIN_MS = 10_000;
const LARGEST_MARGIN_SHARE = 0.2;
const NAMED_FAILURES = 5;

/**
 * Makes a Lambda handler, to be run by a schedule, that dispatches the records which dead functions left in
 * the outbox of an endpoint, or of several that share the table. It is configured as the endpoint's own
 * handler is: by the environment that the constructs set, or by options.
 *
 * The event does not matter. Two runs at once do not send a record twice; records that a run has no time for
 * wait for the next one.
 *
 * @throws SagaboxError `Configuration` for an option out of range. The handler it returns throws the error
 *   that ended the search, `RelayFailed` when records could not be dispatched, or the first problem of the
 *   watch, so that the errors of the function show it; by then all that could be relayed is.
 * @example
 * ```ts
 * import { relayOutbox } from 'sagabox';
 *
 * export const handler = relayOutbox({ olderThan: { minutes: 20 } });
 * ```
 */
export function relayOutbox(options: RelayOutboxOptions = {}): RelayHandler {
  assertOptions('relayOutbox', options, relayOutboxChecks);
  assertEndpoints(options);
  relaySettings(options, {});
  const { onRelayed } = options;
  const logger = loggerOf(options);
  let relays: Relays | undefined;

  return async (_event, context) => {
    if (relays === undefined) await loadSettings(process.env, remainingTime(context));
    relays ??= configureRelays(options);
    const { configured, settings, watch } = relays;
    const startedAt = systemClock.now();
    const { endpoints, shared } = relays.newRun();
    const controller = new AbortController();
    const cancel = startEndTimer(context, () => controller.abort());
    let result: RelayRunResult;
    try {
      const relayed = await relayEndpoints(endpoints, { ...settings, signal: controller.signal });
      result = { ...relayed, unknownEndpoints: shared?.unknown ?? {} };
    } finally {
      cancel();
    }
    tell(logger, configured.strategy, result);
    reportRelayMetrics(options, result, systemClock.now());
    try {
      await onRelayed?.(result);
    } catch (error) {
      logger.error('onRelayed failed', failureFields(error));
    }
    const watchErrors = await watchAfter(result, { configured, watch }, startedAt);
    for (const error of watchErrors) logger.error('The outbox is not watched', failureFields(error));
    await linesWritten();
    await options.tracing?.flush(remainingTime(context)() / 2);
    if (result.searchError !== undefined) throw result.searchError;
    if (result.failed.length > 0) throw relayFailed(result);
    if (watchErrors.length > 0) throw watchErrors[0];
    return result;
  };
}

/** The problems of the watch; after a complete scan, which is remembered, no earlier record is missed. */
async function watchAfter(
  result: RelayRunResult,
  { configured, watch }: Pick<Relays, 'configured' | 'watch'>,
  startedAt: Date,
): Promise<unknown[]> {
  if (configured.strategy === 'stream') return await checkWatch(watch, systemClock.now());
  const storedBefore = new Date(startedAt.getTime() - configured.olderThanMs);
  const remembered = await settled(rememberScan(watch, result, storedBefore));
  return remembered.status === 'rejected' ? [remembered.reason] : [];
}

/** Logs one line for a run, and one for each record that failed. */
function tell(logger: MessageLogger, strategy: RelayStrategy, result: RelayRunResult): void {
  const { endpoints, unknownEndpoints, ...together } = result;
  const each = Object.entries(endpoints);
  for (const [endpoint, { failed }] of each) {
    for (const { messageId, code, message } of failed)
      logger.error('An outbox record could not be relayed', {
        endpoint,
        messageId,
        code,
        error: { message },
      });
  }
  const [first, ...others] = each;
  const which =
    others.length === 0
      ? { endpoint: first?.[0] }
      : { endpoints: Object.fromEntries(each.filter(hasNews).map(countsOf)), unknownEndpoints };
  logger.info('Outbox relay', { ...which, strategy, ...counts(together) });
}

function hasNews([, { found, complete }]: [string, RelayResult]): boolean {
  return found > 0 || !complete;
}

function countsOf([endpoint, result]: [string, RelayResult]) {
  return [endpoint, counts(result)] as const;
}

function counts({ failed, searchError: _error, ...others }: RelayResult) {
  return { ...others, failed: failed.length };
}

function startEndTimer(context: Parameters<RelayHandler>[1], callback: () => void): () => void {
  const remainingMs = context?.getRemainingTimeInMillis?.();
  if (remainingMs === undefined) return () => {};
  const marginMs = Math.min(END_MARGIN_MS, LARGEST_MARGIN_SHARE * remainingMs);
  return startSystemTimer(remainingMs - marginMs, callback);
}

function relayFailed({ endpoints, failed }: RelayRunResult): SagaboxError {
  const affected = Object.keys(endpoints).filter((name) => endpoints[name]?.failed.length);
  const named = failed.slice(0, NAMED_FAILURES).map(({ messageId, code }) => `'${messageId}': ${code}`);
  const failures = failed.length > named.length ? [...named, '…'] : named;
  return new SagaboxError('RelayFailed', {
    endpoint: affected.join(', '),
    failed: failed.length,
    failures,
  });
}

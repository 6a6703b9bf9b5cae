import { failureFields } from '../../observe/logs/log-fields.ts';
import { type MessageMetrics, metricNames } from '../../observe/metrics/metric-names.ts';
import type { RelayResult, RelayRunResult } from '../../relay/relay-result.ts';
import { loggerOf } from '../logs/logger-of.ts';
import { emittedMetrics } from '../metrics/emitted-metrics.ts';
import type { RelayOutboxOptions } from './relay-options.ts';

type Add = MessageMetrics['addMetric'];

/** Adds the metrics of a run to the user's own, or emits a line for each endpoint. Never throws. */
export function reportRelayMetrics(
  options: RelayOutboxOptions,
  { endpoints }: RelayRunResult,
  now: Date,
): void {
  const { metrics } = options;
  const start = emittedMetrics(options);
  for (const [endpoint, result] of Object.entries(endpoints)) {
    try {
      if (metrics) addAll(result, now, (...metric) => metrics.addMetric(...metric));
      const emitted = start?.(endpoint);
      if (emitted) addAll(result, now, (...metric) => emitted.add(...metric));
      emitted?.emit();
    } catch (error) {
      const logger = loggerOf(options);
      logger.error('An observer failed: metrics', failureFields(error));
    }
  }
}

/** Adds zeros, too, so that a run that finds nothing differs from a relay that does not run. */
function addAll({ found, dispatched, settled, oldestStoredAt }: RelayResult, now: Date, add: Add): void {
  const ageMs = oldestStoredAt === undefined ? 0 : now.getTime() - oldestStoredAt.getTime();
  add(metricNames.undispatched, 'Count', found);
  add(metricNames.relayed, 'Count', dispatched);
  add(metricNames.notRelayed, 'Count', found - dispatched - settled);
  add(metricNames.oldestRecordAge, 'Seconds', Math.max(0, Math.round(ageMs / 1000)));
}

import { EmfMetrics, type MetricsRecorder } from '../../observe/metrics/emf-metrics.ts';
import { metricNamespaceProblem } from '../../observe/metrics/metric-namespace.ts';
import { metricsByMessageTypeSetting, metricsNamespaceSetting } from '../../settings/endpoint.ts';
import { decoded, type Environment } from '../../settings/setting.ts';
import { loggerOf } from '../logs/logger-of.ts';
import { writeLine } from '../logs/write-line.ts';
import type { EndpointOptions } from '../options.ts';
import { systemClock } from '../system-clock.ts';

/** The metrics of one invocation: those of two invocations in one process do not mix. */
export interface InvocationMetrics extends MetricsRecorder {
  /** Writes the metrics that were counted. Never throws. */
  emit(): void;
}

/** Begins the metrics of one invocation. */
export type StartMetrics = (endpoint: string) => InvocationMetrics;

/**
 * @param messageTypes the types that the endpoint handles, if they are known
 * @returns undefined if the user's own `metrics` take them, or the environment names no namespace
 */
export function emittedMetrics(
  options: Pick<EndpointOptions, 'metrics' | 'logger'>,
  environment: Environment = process.env,
  messageTypes?: ReadonlySet<string>,
): StartMetrics | undefined {
  const { metrics } = options;
  const namespace = decoded(metricsNamespaceSetting, environment);
  if (metrics !== undefined || !namespace) return undefined;
  const wrong = metricNamespaceProblem(namespace);
  if (wrong !== undefined) {
    // Metrics are no reason to fail messages.
    const logger = loggerOf(options);
    const { variable } = metricsNamespaceSetting;
    logger.warn(`No metrics are emitted: ${variable}: ${wrong.problem}. ${wrong.remedy}`, { namespace });
    return undefined;
  }
  const byType = decoded(metricsByMessageTypeSetting, environment);
  const settings = { namespace, messageTypes: byType ? messageTypes : undefined };
  return (endpoint) => new EmittedMetrics({ ...settings, endpoint });
}

class EmittedMetrics extends EmfMetrics implements InvocationMetrics {
  emit(): void {
    const lines = this.lines(systemClock.now());
    if (lines.length > 0) writeLine(lines.join('\n'));
  }
}

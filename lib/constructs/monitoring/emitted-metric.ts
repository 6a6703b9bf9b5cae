import { Metric, type MetricOptions } from 'aws-cdk-lib/aws-cloudwatch';
import type { IConstruct } from 'constructs';
import { SagaboxError } from '../../kernel/errors/errors.ts';
import { metricDimensions } from '../../observe/metrics/metric-names.ts';
import { dimensionValue } from '../../observe/metrics/metric-namespace.ts';

/** Whose function emits metrics by itself. */
interface Emitter extends IConstruct {
  readonly metricsNamespace: string | undefined;
}

/**
 * A metric of an endpoint as the runtime writes it, in the region of the construct whose function does.
 *
 * @throws SagaboxError `Configuration` when it writes none
 */
export function emittedMetric(
  emitter: Emitter,
  { endpointName }: { readonly endpointName: string },
  metricName: string,
  options: MetricOptions = {},
): Metric {
  const { metricsNamespace: namespace } = emitter;
  if (namespace === undefined) {
    throw new SagaboxError('Configuration', {
      setting: `metricsNamespace of '${emitter.node.path}'`,
      problem: `it is not set, so that there is no metric '${metricName}'`,
      remedy: 'Give it a metricsNamespace',
    });
  }
  const dimensionsMap = { [metricDimensions.endpoint]: dimensionValue(endpointName) };
  return new Metric({ namespace, metricName, dimensionsMap, statistic: 'Sum', ...options }).attachTo(emitter);
}

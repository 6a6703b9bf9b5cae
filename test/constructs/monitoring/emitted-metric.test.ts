import { describe, expect, it } from '@jest/globals';
import { EmfMetrics } from '../../../lib/observe/metrics/emf-metrics.ts';
import { metricNames } from '../../../lib/observe/metrics/metric-names.ts';
import { ordersEndpoint } from '../support.ts';

describe('a metric of an endpoint', () => {
  it.each(['orders', 'Café: Lieferung', ' orders', 'x'.repeat(256)])(
    'is the one that the runtime writes for %j',
    (endpointName) => {
      const { orders } = ordersEndpoint({ metricsNamespace: 'Shop', endpointName });
      const written = new EmfMetrics({ namespace: 'Shop', endpoint: endpointName });
      written.add(metricNames.failed, 'Count', 1);
      const { _aws: directives, ...values } = JSON.parse(written.lines(new Date(0))[0] ?? '');
      const [
        {
          Namespace: namespace,
          Dimensions: [[dimension]],
          Metrics: [{ Name: metricName }],
        },
      ] = directives.CloudWatchMetrics;
      expect(orders.metric('MessagesFailed')).toMatchObject({
        namespace,
        metricName,
        dimensions: { [dimension]: values[dimension] },
        statistic: 'Sum',
      });
    },
  );

  it('takes the options of a metric', () => {
    const { orders } = ordersEndpoint({ metricsNamespace: 'Shop' });
    expect(orders.metric('MessageDuration', { statistic: 'p99', label: 'slow' })).toMatchObject({
      statistic: 'p99',
      label: 'slow',
    });
  });

  it('is refused when the function emits none', () => {
    const { orders } = ordersEndpoint();
    expect(() => orders.metric('MessagesFailed')).toThrow(
      "metricsNamespace of 'Test/Orders': it is not set, so that there is no metric 'MessagesFailed'. " +
        'Give it a metricsNamespace.',
    );
  });
});

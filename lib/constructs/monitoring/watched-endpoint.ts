import type { Metric, MetricOptions } from 'aws-cdk-lib/aws-cloudwatch';
import type { MessageEndpoint } from '../endpoint/message-endpoint.ts';
import type { OutboxRelay } from '../relay/outbox-relay.ts';
import type { MessageScheduler } from '../scheduler/message-scheduler.ts';

/** What the alarms and the dashboard of an endpoint look at. */
export interface WatchedEndpoint {
  readonly endpoint: MessageEndpoint;
  readonly relay: OutboxRelay | undefined;
  /** The relay, `undefined` also if it is shared, and its runs are watched with another endpoint. */
  readonly relayRuns: OutboxRelay | undefined;
  /** `undefined` also if it is shared, and watched with another endpoint. */
  readonly scheduler: MessageScheduler | undefined;
}

/** A metric of the runtime, of this endpoint; `undefined` if the runtime writes none. */
export function messageMetric(
  { endpoint }: Pick<WatchedEndpoint, 'endpoint'>,
  metricName: string,
  options: MetricOptions,
): Metric | undefined {
  return endpoint.metricsNamespace === undefined ? undefined : endpoint.metric(metricName, options);
}

/** A metric that the runs of the relay write for this endpoint; `undefined` if they write none. */
export function relayMetric(
  { endpoint, relay }: Pick<WatchedEndpoint, 'endpoint' | 'relay'>,
  metricName: string,
  options: MetricOptions,
): Metric | undefined {
  return relay?.metricsNamespace === undefined ? undefined : relay.metric(endpoint, metricName, options);
}

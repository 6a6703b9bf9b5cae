import { aString, trueOrFalse } from '../../kernel/checks/checks.ts';
import { metricNamespaceProblem } from '../../observe/metrics/metric-namespace.ts';
import { metricsByMessageTypeSetting, metricsNamespaceSetting } from '../../settings/endpoint.ts';
import { encoded } from '../../settings/setting.ts';
import type { PropChecks } from '../checks/prop-checks.ts';
import { isKnown } from '../is-known.ts';
import type { Violations } from '../violations.ts';

/** What the runtime emits by itself. */
export interface EmittedMetricsProps {
  /**
   * The CloudWatch namespace of the metrics that the function emits by itself: one log line per invocation in
   * the embedded metric format, without calls. Up to 255 letters, digits and `. - _ / # :`, not starting with
   * `AWS/`. Endpoints of one name in one account and region, as of two stages, need a namespace each. CloudWatch
   * charges for each metric, see docs/guide/operations.md.
   *
   * @default - no metrics are emitted
   */
  readonly metricsNamespace?: string;

  /**
   * Emits three more metrics per message type: handled messages, failures and durations, with one line for
   * each type in an invocation. Only `createHandler` emits them, as it knows the types.
   *
   * @default false
   */
  readonly metricsByMessageType?: boolean;
}

export const emittedMetricsChecks: PropChecks<EmittedMetricsProps> = {
  metricsNamespace: aString,
  metricsByMessageType: trueOrFalse,
};

/** The variables for that; a namespace that CloudWatch would refuse is reported, and left out. */
export function metricsEnvironment(
  { metricsNamespace, metricsByMessageType = false }: EmittedMetricsProps,
  violations: Violations,
): Record<string, string> {
  if (metricsNamespace === undefined) {
    if (metricsByMessageType) {
      const problem = 'it is true, and without metricsNamespace no metrics are emitted';
      violations.add('metricsByMessageType', problem, 'Give a metricsNamespace too, or leave it out');
    }
    return {};
  }
  const wrong = isKnown(metricsNamespace) ? metricNamespaceProblem(metricsNamespace) : undefined;
  if (wrong !== undefined) {
    violations.add('metricsNamespace', wrong.problem, wrong.remedy);
    return {};
  }
  return {
    ...encoded(metricsNamespaceSetting, metricsNamespace),
    ...encoded(metricsByMessageTypeSetting, metricsByMessageType || undefined),
  };
}

import { MathExpression } from 'aws-cdk-lib/aws-cloudwatch';
import type { IQueue } from 'aws-cdk-lib/aws-sqs';
import type { AlarmRow } from './alarm-row.ts';
import type { WatchedEndpoint } from './watched-endpoint.ts';

/** One that is over at once is retried, and no cause to call someone. */
const repeated = { periodMinutes: 5, evaluationPeriods: 3, datapointsToAlarm: 2 } as const;

export const functionAlarmRows = {
  functionErrors: {
    ...repeated,
    id: 'FunctionErrors',
    metric: ({ endpoint }, { period }) => endpoint.function.metricErrors({ period }),
    threshold: 1,
    unit: 'invocations',
    severity: 'critical',
    description:
      'Invocations fail as a whole: every record failed, a setting is missing, or the function was ended. Read the error in the log.',
    runbook: 'Function errors and throttles',
  },
  functionThrottles: {
    ...repeated,
    id: 'FunctionThrottles',
    metric: ({ endpoint }, { period }) => endpoint.function.metricThrottles({ period }),
    threshold: 1,
    unit: 'invocations',
    severity: 'warning',
    description:
      'Lambda has no capacity for the invocations, and deliveries are used up. Set maxConcurrency, or raise the concurrency of the account.',
    runbook: 'Function errors and throttles',
  },
  durationNearTimeout: {
    ...repeated,
    id: 'DurationNearTimeout',
    metric: ({ endpoint }, { period }) => endpoint.function.metricDuration({ period, statistic: 'p99' }),
    threshold: 80,
    unit: '%',
    maxThreshold: 100,
    hundredPercent: ({ endpoint }) => timeoutMilliseconds(endpoint.function.timeout),
    severity: 'warning',
    description:
      'Invocations take almost as long as the timeout of the function allows. Use smaller batches, more memory or a longer timeout.',
    runbook: 'Duration near the timeout',
    needs: 'a function whose timeout is known',
  },
  silent: {
    id: 'Silent',
    metric: ({ endpoint: { queue } }, { period }) => silence(queue, period),
    threshold: 1,
    unit: '(1: silent)',
    maxThreshold: 1,
    periodMinutes: 5,
    // A period in which every message fails and is retried has no delete: it alone would raise a false alarm.
    evaluationPeriods: 3,
    datapointsToAlarm: 3,
    severity: 'critical',
    description:
      'Messages wait and none is handled. Look whether the event source mapping is enabled, and what the log of the function says.',
    runbook: 'Silent: messages wait and none is handled',
  },
} as const satisfies Readonly<Record<string, AlarmRow<WatchedEndpoint>>>;

type Timeout = WatchedEndpoint['endpoint']['function']['timeout'];

function timeoutMilliseconds(timeout: Timeout): number | undefined {
  return timeout === undefined || timeout.isUnresolved() ? undefined : timeout.toMilliseconds();
}

/** Both are metrics of the queue, which reports 0 too: an endpoint that never ran has no figures of its own. */
function silence(queue: IQueue, period: MathExpression['period']): MathExpression {
  return new MathExpression({
    expression: 'IF(waiting > 0, IF(deleted > 0, 0, 1), 0)',
    usingMetrics: {
      waiting: queue.metricApproximateNumberOfMessagesVisible({ statistic: 'Minimum' }),
      deleted: queue.metricNumberOfMessagesDeleted({ statistic: 'Sum' }),
    },
    label: 'Messages wait and none is handled',
    period,
  });
}

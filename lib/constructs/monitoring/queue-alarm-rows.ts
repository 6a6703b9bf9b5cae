import { MathExpression, type Metric } from 'aws-cdk-lib/aws-cloudwatch';
import { CfnQueue, type IQueue } from 'aws-cdk-lib/aws-sqs';
import { isKnown } from '../is-known.ts';
import type { AlarmRow, MetricSettings } from './alarm-row.ts';
import type { WatchedEndpoint } from './watched-endpoint.ts';

/** A message that waits where none should is there for days: one datapoint says it all. */
const notEmpty = {
  threshold: 1,
  unit: 'messages',
  periodMinutes: 5,
  evaluationPeriods: 1,
  datapointsToAlarm: 1,
} as const;

const lasting = { periodMinutes: 5, evaluationPeriods: 3, datapointsToAlarm: 3 } as const;

export const queueAlarmRows = {
  deadLetters: {
    ...notEmpty,
    id: 'DeadLetters',
    metric: ({ endpoint }, settings) => depthOf(endpoint.deadLetterQueue, settings),
    severity: 'critical',
    description:
      'Messages are in the dead letter queue: no handler could answer. Mend the cause, then move them back with sagabox redrive.',
    runbook: 'Dead letters: messages in the dead letter queue',
  },
  errors: {
    ...notEmpty,
    id: 'Errors',
    metric: ({ endpoint }, settings) => depthOf(endpoint.errorQueue, settings),
    severity: 'warning',
    description:
      'Messages that could not be handled are in the error queue. Read their errors, mend the cause, then move them back with sagabox redrive.',
    runbook: 'Errors: messages in the error queue',
    needs: 'an error queue',
  },
  undelivered: {
    ...notEmpty,
    id: 'Undelivered',
    metric: ({ endpoint }, settings) => depthOf(endpoint.undeliveredQueue, settings),
    severity: 'critical',
    description:
      'A topic or an event bus could not send to the queue. Mend its policy or its key, then move the messages with sagabox redrive.',
    runbook: 'Undelivered: messages in the undeliveredQueue',
    needs: 'an undeliveredQueue: a source of another kind, FIFO or standard, than the endpoint',
  },
  unsentTimeouts: {
    ...notEmpty,
    id: 'UnsentTimeouts',
    metric: ({ scheduler }, settings) => depthOf(scheduler?.deadLetterQueue, settings),
    severity: 'critical',
    description:
      'Schedules could not send their messages: timeouts and delayed messages are late. Mend the permission, then send them by hand.',
    runbook: "Unsent timeouts: messages in the scheduler's dead letter queue",
    needs: 'a scheduler of the endpoint',
  },
  oldestMessage: {
    ...lasting,
    id: 'OldestMessage',
    metric: ({ endpoint: { queue } }, { period }) =>
      queue.metricApproximateAgeOfOldestMessage({ period, statistic: 'Maximum' }),
    threshold: 3_600,
    unit: 's',
    // No message gets older: the queue deletes it.
    maxThreshold: ({ endpoint }) => retentionSeconds(endpoint.queue),
    severity: 'critical',
    description:
      'The oldest message has waited too long. Look whether the function runs, and what fails and comes back.',
    runbook: 'The oldest message is too old',
  },
  timeToDrain: {
    ...lasting,
    id: 'TimeToDrain',
    metric: ({ endpoint: { queue } }, { period }) =>
      new MathExpression({
        // A queue that nothing is deleted from is taken to lose one message in a period. Queues that are polled
        // report 0, so that no missing value has to be filled in.
        expression: 'waiting * PERIOD(waiting) / IF(deleted > 0, deleted, 1)',
        usingMetrics: {
          waiting: queue.metricApproximateNumberOfMessagesVisible({ statistic: 'Average' }),
          deleted: queue.metricNumberOfMessagesDeleted({ statistic: 'Sum' }),
        },
        label: 'Time to drain, in seconds',
        period,
      }),
    threshold: 3_600,
    unit: 's',
    severity: 'warning',
    description:
      'At the present rate the waiting messages take too long. Raise maxConcurrency or the capacity of the tables, or wait for the burst to end.',
    runbook: 'Time to drain',
  },
} as const satisfies Readonly<Record<string, AlarmRow<WatchedEndpoint>>>;

function depthOf(queue: IQueue | undefined, { period }: MetricSettings): Metric | undefined {
  return queue?.metricApproximateNumberOfMessagesVisible({ period, statistic: 'Maximum' });
}

/** `undefined` for a queue that is not made here. */
function retentionSeconds(queue: IQueue): number | undefined {
  const resource = queue.node.defaultChild;
  if (!(resource instanceof CfnQueue) || !isKnown(resource.messageRetentionPeriod)) return undefined;
  return resource.messageRetentionPeriod;
}

import {
  type Alarm,
  AlarmStatusWidget,
  type HorizontalAnnotation,
  type IWidget,
  TextWidget,
} from 'aws-cdk-lib/aws-cloudwatch';
import { metricNames } from '../../observe/metrics/metric-names.ts';
import { functionLink, logLink, queueLink, tableLink } from './console-links.ts';
import type { EndpointAlarmName } from './endpoint-alarm-rows.ts';
import { dashboardWidth, type Graph, graphRow } from './graph-row.ts';
import type { WatchedTable } from './table-alarm-rows.ts';
import { tableWidgets } from './table-widgets.ts';
import { messageMetric, relayMetric, type WatchedEndpoint } from './watched-endpoint.ts';

export interface DashboardContents {
  readonly watched: WatchedEndpoint;
  readonly tables: readonly WatchedTable[];
  readonly alarms: ReadonlyMap<EndpointAlarmName, readonly Alarm[]>;
  readonly runbookUrl: string | undefined;
}

/** The rows of an endpoint, from its queue to the dispatch of its messages. */
export function endpointWidgets(contents: DashboardContents): IWidget[][] {
  const alarms = [...contents.alarms.values()].flat();
  const rows = [
    [heading(contents)],
    alarms.length === 0
      ? []
      : [new AlarmStatusWidget({ title: 'Alarms', alarms, width: dashboardWidth, height: 3 })],
    graphRow(queueWidgets(contents)),
    graphRow(functionWidgets(contents)),
    graphRow(messageWidgets(contents)),
    graphRow(relayWidgets(contents)),
    ...contents.tables.map((table) => graphRow(tableWidgets(table))),
  ];
  return rows.filter((row) => row.length > 0);
}

function heading({ watched, tables, runbookUrl }: DashboardContents): TextWidget {
  const { endpoint, relay, scheduler } = watched;
  const links: [label: string, url: string | undefined][] = [
    ['Queue', queueLink(endpoint.queue)],
    ['Dead letter queue', endpoint.deadLetterQueue && queueLink(endpoint.deadLetterQueue)],
    ['Error queue', endpoint.errorQueue && queueLink(endpoint.errorQueue)],
    ['Undelivered messages', endpoint.undeliveredQueue && queueLink(endpoint.undeliveredQueue)],
    ['Unsent timeouts', scheduler && queueLink(scheduler.deadLetterQueue)],
    ['Function', functionLink(endpoint.function)],
    ['Log', logLink(endpoint.function)],
    ['Relay', relay && functionLink(relay.function)],
    ['Log of the relay', relay && logLink(relay.function)],
    ['Log of the watcher', relay?.watcher && logLink(relay.watcher)],
    ...tables.map(({ table }): [string, string] => [table.node.id, tableLink(table)]),
    ['Runbook', runbookUrl],
  ];
  const known = links.flatMap(([label, url]) => (url === undefined ? [] : [`[${label}](${url})`]));
  const markdown = `## ${endpoint.endpointName}\n\n${known.join(' | ')}`;
  return new TextWidget({ markdown, width: dashboardWidth, height: 3 });
}

function queueWidgets({ watched: { endpoint, scheduler }, alarms }: DashboardContents): Graph[] {
  const { queue, deadLetterQueue, errorQueue, undeliveredQueue } = endpoint;
  const failures = {
    'dead letters': deadLetterQueue,
    errors: errorQueue,
    undelivered: undeliveredQueue,
    'unsent timeouts': scheduler?.deadLetterQueue,
  };
  return [
    {
      title: 'Waiting messages',
      left: [
        queue.metricApproximateNumberOfMessagesVisible({ label: 'waiting' }),
        queue.metricApproximateNumberOfMessagesNotVisible({ label: 'in flight' }),
        queue.metricApproximateNumberOfMessagesDelayed({ label: 'delayed' }),
      ],
    },
    {
      title: 'Age of the oldest message, in seconds',
      left: [queue.metricApproximateAgeOfOldestMessage({ label: 'age' })],
      leftAnnotations: annotations(alarms.get('oldestMessage')),
    },
    {
      title: 'Sent, received and deleted messages',
      left: [
        queue.metricNumberOfMessagesSent({ label: 'sent' }),
        queue.metricNumberOfMessagesReceived({ label: 'received' }),
        queue.metricNumberOfMessagesDeleted({ label: 'deleted' }),
      ],
    },
    {
      title: 'Messages that failed',
      left: Object.entries(failures).map(([label, each]) =>
        each?.metricApproximateNumberOfMessagesVisible({ label }),
      ),
    },
  ];
}

function functionWidgets({ watched: { endpoint }, alarms }: DashboardContents): Graph[] {
  const { function: handler } = endpoint;
  const duration = (statistic: string) => handler.metricDuration({ statistic, label: statistic });
  return [
    {
      title: 'Invocations, errors and throttles',
      left: [
        handler.metricInvocations({ label: 'invocations' }),
        handler.metricErrors({ label: 'errors' }),
        handler.metricThrottles({ label: 'throttles' }),
      ],
    },
    {
      title: 'Duration, in milliseconds',
      left: [duration('p50'), duration('p99'), duration('Maximum')],
      leftAnnotations: annotations(alarms.get('durationNearTimeout')),
    },
    {
      title: 'Concurrent invocations',
      left: [handler.metric('ConcurrentExecutions', { statistic: 'Maximum', label: 'concurrent' })],
    },
  ];
}

function messageWidgets({ watched }: DashboardContents): Graph[] {
  const counts = (names: readonly (keyof typeof metricNames)[]) =>
    names.map((name) => messageMetric(watched, metricNames[name], { label: name }));
  const duration = (statistic: string) =>
    messageMetric(watched, metricNames.duration, { statistic, label: statistic });
  return [
    {
      title: 'Attempts, by how they end',
      left: counts(['handled', 'duplicate', 'redispatched', 'failed']),
    },
    { title: 'Retries, conflicts and lock waits', left: counts(['retry', 'conflict', 'lockWait']) },
    {
      title: 'Discards, reused ids and failed compensations',
      left: counts([
        'discarded',
        'timeoutDiscarded',
        'bodyMismatch',
        'messageIdReused',
        'compensationFailed',
      ]),
    },
    { title: 'Duration of an attempt, in milliseconds', left: [duration('p50'), duration('p99')] },
  ];
}

function relayWidgets({ watched, alarms }: DashboardContents): Graph[] {
  const { relay } = watched;
  if (relay === undefined) return [];
  const oldest = { statistic: 'Maximum', label: 'age of the oldest record' };
  return [
    {
      title: 'Runs of the relay',
      left: [
        relay.function.metricInvocations({ label: 'runs' }),
        relay.metricRelayErrors({ label: 'failed' }),
        relay.watcher?.metricErrors({ label: 'failed invocations of the watcher' }),
      ],
    },
    {
      title: 'Age of the changes that the watcher reads, in milliseconds',
      left: [relay.watcher?.metric('IteratorAge', { statistic: 'Maximum', label: 'age' })],
      leftAnnotations: annotations(alarms.get('watcherBehind')),
    },
    {
      title: 'Undispatched records',
      left: [
        relayMetric(watched, metricNames.undispatched, { label: 'found' }),
        relayMetric(watched, metricNames.notRelayed, { label: 'not relayed' }),
      ],
    },
    {
      title: 'Age of the oldest undispatched record, in seconds',
      left: [relayMetric(watched, metricNames.oldestRecordAge, oldest)],
      leftAnnotations: annotations(alarms.get('undispatched')),
    },
  ];
}

function annotations(alarms: readonly Alarm[] = []): HorizontalAnnotation[] {
  return alarms.map((alarm) => alarm.toAnnotation());
}

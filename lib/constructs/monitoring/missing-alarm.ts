import type { Construct } from 'constructs';
import { configurationError, type SagaboxError } from '../../kernel/errors/errors.ts';
import type { EndpointAlarmName } from './endpoint-alarm-rows.ts';
import type { EndpointMonitoringProps } from './endpoint-monitoring-props.ts';
import { tableAlarmRows } from './table-alarm-rows.ts';
import { unwatchedAlarms } from './unwatched-alarms.ts';
import type { WatchedEndpoint } from './watched-endpoint.ts';
import { watcherOf } from './watched-once.ts';
import type { EndpointTable } from './watched-tables.ts';

/** What a monitoring was told to watch. */
export interface ToWatch {
  readonly alarms: EndpointMonitoringProps['alarms'];
  readonly watched: WatchedEndpoint;
  readonly tables: readonly EndpointTable[];
}

/** That a monitoring has no alarm of this name, with why. */
export function missingAlarm(
  monitoring: Construct,
  name: EndpointAlarmName,
  toWatch: ToWatch,
): SagaboxError<'Configuration'> {
  const [why, remedy] = reason(monitoring, name, toWatch);
  return configurationError(
    `alarmsNamed of '${monitoring.node.path}'`,
    `it has no alarm '${name}': ${why}`,
    remedy,
  );
}

function reason(
  monitoring: Construct,
  name: EndpointAlarmName,
  { alarms, watched, tables }: ToWatch,
): [why: string, remedy: string] {
  if (alarms === false) return ['alarms: false leaves all out', 'Leave alarms out, or the name'];
  const setting = `alarms.${name}`;
  if (alarms?.[name] === false)
    return [`${setting}: false leaves it out`, `Leave ${setting} out, or the name`];
  const needs = new Map(unwatchedAlarms(watched, tables)).get(name);
  if (needs !== undefined) {
    const { path } = watched.endpoint.node;
    return [`'${path}' has nothing that it could watch`, `Leave the name out: ${name} needs ${needs}`];
  }
  const shared = sharedBy(name, watched, tables).filter((each) => watcherOf(each) !== monitoring);
  const watchers = shared.map((each) => {
    const watcher = watcherOf(each);
    const { path } = each.node;
    return watcher === each ? `'${path}' watches itself` : `'${watcher?.node.path}' watches '${path}'`;
  });
  return [
    watchers.join(', and '),
    'Take the alarm from there: by alarmsNamed, or of a table from capacityAlarms',
  ];
}

function sharedBy(
  name: EndpointAlarmName,
  { relay, scheduler }: WatchedEndpoint,
  tables: readonly EndpointTable[],
): Construct[] {
  if (name in tableAlarmRows) return tables.map(({ table }) => table as Construct);
  const shared: Construct | undefined = name === 'unsentTimeouts' ? scheduler : relay;
  return shared === undefined ? [] : [shared];
}

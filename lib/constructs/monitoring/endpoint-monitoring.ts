import type { Alarm, Dashboard } from 'aws-cdk-lib/aws-cloudwatch';
import { Construct } from 'constructs';
import { listOf } from '../../kernel/checks/checks.ts';
import { defined } from '../../kernel/defined.ts';
import { argumentOf, checkedProps } from '../checks/prop-checks.ts';
import { oneOf } from '../checks/prop-kinds.ts';
import { isKnown } from '../is-known.ts';
import { nameProblems } from '../limits/physical-names.ts';
import { watchLimits } from '../limits/stack-limits.ts';
import { assertInStack, elsewhereProblem } from '../places.ts';
import { Violations } from '../violations.ts';
import { AlarmMaker } from './alarm-maker.ts';
import { alarmPropViolations } from './alarm-prop-rules.ts';
import { addToDashboard } from './dashboard.ts';
import { alarmRows, type EndpointAlarmName, endpointAlarmRows } from './endpoint-alarm-rows.ts';
import { type EndpointMonitoringProps, endpointMonitoringChecks } from './endpoint-monitoring-props.ts';
import { endpointWidgets } from './endpoint-widgets.ts';
import { missingAlarm, type ToWatch } from './missing-alarm.ts';
import { type MonitoringFacts, monitoringViolations } from './monitoring-rules.ts';
import { tableAlarmRows } from './table-alarm-rows.ts';
import { unwatchedAlarms } from './unwatched-alarms.ts';
import type { WatchedEndpoint } from './watched-endpoint.ts';
import { watchOnce } from './watched-once.ts';
import { type EndpointTable, watchedTables } from './watched-tables.ts';

/**
 * The alarms of an endpoint and a dashboard from its queue to the dispatch of its messages: of its queues, its
 * function, its messages, its relay, its scheduler and its tables. What several endpoints share is watched
 * once, by the first one. A table with `capacityAlarms` of its own keeps these.
 *
 * It may stand in another stack than the endpoint, of the same account and region: each alarm is a resource.
 * A table of another account has its alarms there.
 *
 * Settings that are out of range are reported at synth, all at once.
 *
 * @example
 * ```ts
 * import { App, Stack } from 'aws-cdk-lib';
 * import { Topic } from 'aws-cdk-lib/aws-sns';
 * import { EndpointMonitoring, MessageEndpoint, OutboxTable, SagaTable } from 'sagabox/constructs';
 *
 * const stack = new Stack(new App(), 'Shop');
 * const sagaTable = new SagaTable(stack, 'SagaTable');
 * const outboxTable = new OutboxTable(stack, 'OutboxTable');
 * const orders = new MessageEndpoint(stack, 'Orders', { entry: 'lambdas/orders.ts', sagaTable, outboxTable });
 * new EndpointMonitoring(stack, 'OrdersMonitoring', {
 *   endpoint: orders,
 *   topics: { critical: new Topic(stack, 'Pager'), warning: new Topic(stack, 'Tickets') },
 *   alarms: { oldestMessage: { threshold: 900 }, functionThrottles: false },
 *   runbookUrl: 'https://wiki.example.com/runbooks/sagabox',
 * });
 * ```
 */
export class EndpointMonitoring extends Construct {
  /** For further actions. */
  readonly alarms: readonly Alarm[];
  /** Its own or the given one; `undefined` with `dashboard: false`. */
  readonly dashboard: Dashboard | undefined;

  readonly #alarms: ReadonlyMap<EndpointAlarmName, readonly Alarm[]>;
  /** `undefined` when a part of it is reported, so that alarms are missing for that. */
  readonly #toWatch: ToWatch | undefined;

  constructor(scope: Construct, id: string, given: EndpointMonitoringProps) {
    super(scope, id);
    assertInStack(this);
    let facts: MonitoringFacts | undefined;
    const violations = new Violations(this, () => [
      ...(facts === undefined ? [] : monitoringViolations(facts)),
      ...alarmPropViolations(this, others),
      ...nameProblems(this),
    ]);
    const { endpoint, ...others } = checkedProps(given, endpointMonitoringChecks, violations, ['endpoint']);
    if (endpoint === undefined) {
      // Reported at synth: there is nothing to watch.
      this.alarms = [];
      this.#alarms = new Map();
      this.#toWatch = undefined;
      return;
    }
    const props = { endpoint, ...others };
    facts = this.#facts(props);
    const { elsewhere } = facts;
    const { runbookUrl } = props;
    // What cannot be referred to is reported, and nothing of it is watched.
    const isWatched = elsewhere.endpoint === undefined;
    const relay = elsewhere.relay === undefined ? props.relay : undefined;
    const watched = { endpoint, relay, relayRuns: relay, scheduler: endpoint.scheduler };
    const tables = watchedTables(endpoint);
    this.#alarms = isWatched ? this.#makeAlarms(props, watched, tables, violations) : new Map();
    this.alarms = [...this.#alarms.values()].flat();
    const isWhole = isWatched && elsewhere.relay === undefined;
    this.#toWatch = isWhole ? { alarms: props.alarms, watched, tables } : undefined;
    const hasWidgets = isWatched && elsewhere.dashboard === undefined;
    const widgets = hasWidgets ? endpointWidgets({ watched, tables, alarms: this.#alarms, runbookUrl }) : [];
    this.dashboard = addToDashboard(this, props, widgets, violations);
    watchLimits(this);
  }

  /**
   * The alarms of these names, as for a deployment that they roll back: one, or one for each table.
   *
   * @throws SagaboxError `Configuration`, with why, for a name of no alarm, and for an alarm that the monitoring
   *   leaves out: it is `false`, has nothing to watch, or what it watches is watched elsewhere
   */
  alarmsNamed(...names: readonly EndpointAlarmName[]): Alarm[] {
    argumentOf('alarmsNamed', this, { names }, listOf(oneOf(...Object.keys(alarmRows))));
    return names.flatMap((name) => {
      const found = this.#alarms.get(name);
      if (found === undefined && this.#toWatch !== undefined) throw missingAlarm(this, name, this.#toWatch);
      return found ?? [];
    });
  }

  #facts({ endpoint, relay, dashboard, dashboardName, alarms }: EndpointMonitoringProps): MonitoringFacts {
    const watched = { endpoint, relay, relayRuns: relay, scheduler: endpoint.scheduler };
    const adjustments: Readonly<Record<string, unknown>> = alarms || {};
    const isAdjusted = (name: string) => typeof adjustments[name] === 'object';
    return {
      endpointPath: endpoint.node.path,
      elsewhere: defined({
        endpoint: elsewhereProblem(this, endpoint),
        relay: relay && elsewhereProblem(this, relay),
        dashboard: dashboard ? elsewhereProblem(endpoint, dashboard) : undefined,
      }),
      relay: relay && { path: relay.node.path, isOfTheEndpoint: relay.endpoints.includes(endpoint) },
      unwatched: unwatchedAlarms(watched, watchedTables(endpoint)).filter(([name]) => isAdjusted(name)),
      dashboardName: isKnown(dashboardName) ? dashboardName : undefined,
      hasOwnDashboard: dashboard === undefined,
    };
  }

  #makeAlarms(
    props: EndpointMonitoringProps,
    { endpoint, relay, scheduler }: WatchedEndpoint,
    tables: readonly EndpointTable[],
    violations: Violations,
  ): ReadonlyMap<EndpointAlarmName, readonly Alarm[]> {
    if (props.alarms === false) return new Map();
    const { alarms = {} } = props;
    const maker = new AlarmMaker(this, props, violations);
    const once = <T extends Construct>(shared: T | undefined) =>
      shared !== undefined && watchOnce(shared, this) ? shared : undefined;
    const own = maker.make({
      name: endpoint.endpointName,
      watched: { endpoint, relay, relayRuns: once(relay), scheduler: once(scheduler) },
      rows: endpointAlarmRows,
      adjustments: alarms,
    });
    const all = new Map<EndpointAlarmName, Alarm[]>([...own].map(([name, alarm]) => [name, [alarm]]));
    for (const table of tables.filter((each) => watchOnce(each.table, this))) {
      const ofTable = maker.make({
        name: `${endpoint.endpointName}-${table.role}`,
        idPrefix: table.role,
        watched: table,
        rows: tableAlarmRows,
        adjustments: alarms,
      });
      for (const [name, alarm] of ofTable) all.set(name, [...(all.get(name) ?? []), alarm]);
    }
    return all;
  }
}

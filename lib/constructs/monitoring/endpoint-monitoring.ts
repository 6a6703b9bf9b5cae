import { Stack } from 'aws-cdk-lib';
import type { Alarm, Dashboard } from 'aws-cdk-lib/aws-cloudwatch';
import { Construct } from 'constructs';
import { oneOf } from '../checks/kinds.ts';
import { aListOf, argumentOf, checkedProps } from '../checks/prop-checks.ts';
import { isElsewhere } from '../destinations/regions.ts';
import { watchLimits } from '../limits/stack-limits.ts';
import { Violations } from '../violations.ts';
import { checkActions } from './alarm-actions.ts';
import { AlarmMaker } from './alarm-maker.ts';
import { addToDashboard } from './dashboard.ts';
import { alarmRows, type EndpointAlarmName, endpointAlarmRows } from './endpoint-alarm-rows.ts';
import { type EndpointMonitoringProps, endpointMonitoringChecks } from './endpoint-monitoring-props.ts';
import { endpointWidgets } from './endpoint-widgets.ts';
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
 * It may stand in another stack than the endpoint, of the same region: each alarm is a resource.
 *
 * Settings that are out of range are reported at synth, all at once.
 *
 * @example
 * ```ts
 * import { App, Stack } from 'aws-cdk-lib';
 * import { Topic } from 'aws-cdk-lib/aws-sns';
 * import { EndpointMonitoring, MessageEndpoint } from 'sagabox/constructs';
 *
 * const stack = new Stack(new App(), 'Shop');
 * const orders = new MessageEndpoint(stack, 'Orders', { entry: 'lambdas/orders.ts' });
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

  constructor(scope: Construct, id: string, given: EndpointMonitoringProps) {
    super(scope, id);
    const violations = new Violations(this);
    const { endpoint, ...others } = checkedProps(given, endpointMonitoringChecks, violations, ['endpoint']);
    if (endpoint === undefined) {
      // Reported at synth: there is nothing to watch.
      this.alarms = [];
      this.#alarms = new Map();
      return;
    }
    const props = { endpoint, ...others };
    const { relay } = props;
    const watched = { endpoint, relay, relayRuns: relay, scheduler: endpoint.scheduler };
    const tables = watchedTables(endpoint);
    this.#check(props, watched, tables, violations);
    this.#alarms = this.#makeAlarms(props, watched, tables, violations);
    this.alarms = [...this.#alarms.values()].flat();
    const widgets = endpointWidgets({ watched, tables, alarms: this.#alarms, runbookUrl: props.runbookUrl });
    this.dashboard = addToDashboard(this, props, widgets, violations);
    watchLimits(this);
  }

  /**
   * The alarms of these names, as for a deployment that they roll back: one, or one for each table.
   *
   * @throws SagaboxError `Configuration` when there is no alarm of the name
   */
  alarmsNamed(...names: readonly EndpointAlarmName[]): Alarm[] {
    argumentOf('alarmsNamed', this, { names }, aListOf(oneOf(...Object.keys(alarmRows))));
    return names.flatMap((name) => this.#alarms.get(name) ?? []);
  }

  #check(
    props: EndpointMonitoringProps,
    watched: WatchedEndpoint,
    tables: readonly EndpointTable[],
    violations: Violations,
  ): void {
    const adjustments = props.alarms || {};
    checkActions(this, props, violations);
    const { endpoint, relay } = props;
    if (relay !== undefined && !relay.endpoints.includes(endpoint)) {
      const problem = `'${relay.node.path}' relays no records of '${endpoint.node.path}'`;
      violations.add('relay', problem, 'Give that of the endpoint, or add the endpoint to its endpoints');
    }
    for (const [name, needs] of unwatchedAlarms(adjustments, watched, tables)) {
      const problem = `'${props.endpoint.node.path}' has nothing that it could watch`;
      violations.add(`alarms.${name}`, problem, `Leave it out: it needs ${needs}`);
    }
  }

  #makeAlarms(
    props: EndpointMonitoringProps,
    { endpoint, relay, scheduler }: WatchedEndpoint,
    tables: readonly EndpointTable[],
    violations: Violations,
  ): ReadonlyMap<EndpointAlarmName, readonly Alarm[]> {
    if (props.alarms === false || !this.#isInRegion(props, violations)) return new Map();
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

  /** CloudWatch has no alarms on metrics of another region, and CDK throws. */
  #isInRegion({ endpoint }: EndpointMonitoringProps, violations: Violations): boolean {
    const [own, other] = [Stack.of(this).region, Stack.of(endpoint).region];
    if (!isElsewhere(own, other)) return true;
    const problem = `'${endpoint.node.path}' is in ${other}, and alarms watch metrics of their own region only, ${own}`;
    violations.add('endpoint', problem, `Put the monitoring in a stack in ${other}`);
    return false;
  }
}

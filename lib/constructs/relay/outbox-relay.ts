import { type Duration, Stack } from 'aws-cdk-lib';
import type { Metric, MetricOptions } from 'aws-cdk-lib/aws-cloudwatch';
import { Rule, Schedule } from 'aws-cdk-lib/aws-events';
import { LambdaFunction as LambdaTarget } from 'aws-cdk-lib/aws-events-targets';
import { Grant } from 'aws-cdk-lib/aws-iam';
import type { EventSourceMapping, Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import { Construct } from 'constructs';
import { defined } from '../../kernel/defined.ts';
import type { RelayStrategy } from '../../relay/relay-defaults.ts';
import {
  accountIdSetting,
  deduplicationPeriodSetting,
  embeddedOutboxSetting,
  metricsNamespaceSetting,
} from '../../settings/endpoint.ts';
import { relaySetting } from '../../settings/relay.ts';
import { destinationsSetting, schedulerSetting } from '../../settings/sending.ts';
import { encoded } from '../../settings/setting.ts';
import { outboxTableSetting, sagaTableSetting } from '../../settings/tables.ts';
import { consistentProps } from '../checks/prop-rows.ts';
import { MovableSettings, movable } from '../destinations/movable-settings.ts';
import { sendingOf } from '../endpoint/endpoint-sending.ts';
import { checkFunctionRole } from '../endpoint/function-role.ts';
import { handlerFunction } from '../endpoint/handler-function.ts';
import { nameProblems } from '../limits/physical-names.ts';
import { watchLimits } from '../limits/stack-limits.ts';
import { emittedMetric } from '../monitoring/emitted-metric.ts';
import { metricsEnvironment } from '../monitoring/metrics-environment.ts';
import { assertInStack, isInPlaceOf } from '../places.ts';
import {
  recordsCondition,
  relayKeysViolations,
  sagasCondition,
  unsentCondition,
} from '../tables/leading-keys.ts';
import { isCertainlySameTable } from '../tables/same-table.ts';
import { addStreamReader, warnOfManyReaders } from '../tables/stream-readers.ts';
import { reportUnreachableTable } from '../tables/table-place.ts';
import { tableReference } from '../tables/table-reference.ts';
import { Violations } from '../violations.ts';
import { embeddedTables, searchedTables } from './embedded-endpoints.ts';
import { MergedGrants } from './merged-grants.ts';
import { grantEmbeddedRelay, grantOutboxRelay, grantStreamCheck } from './outbox-relay-access.ts';
import { type OutboxRelayProps, outboxRelayDefaults, outboxRelayRows } from './outbox-relay-props.ts';
import { type RelayFacts, relayViolations } from './outbox-relay-rules.ts';
import { OutboxWatcher, readableStreams } from './outbox-watcher.ts';
import { packageEntry } from './package-entry.ts';
import { RelayEnvironment } from './relay-environment.ts';
import { relayFacts, tablesOf } from './relay-facts.ts';
import { propsOfWatcher } from './relay-function-props.ts';
import { longestWait } from './relay-timings.ts';
import type { RelayedEndpoint } from './relayed-endpoint.ts';
import { addRelay } from './relays.ts';

/**
 * A function that runs on a schedule, and dispatches what functions that died left in the outbox table of its
 * endpoints, if their messages are not delivered again. One is enough for a table. It has the permissions of
 * exactly that: to find and work on undispatched records, and to send to the endpoints' destinations.
 *
 * If the tables have streams, it also has a watcher: a small function that reads each change of them, and lists in the
 * tables what it does not see sent. The relay looks into the list instead of reading whole tables.
 *
 * Settings that are out of range, or do not fit the endpoints, are reported at synth, all at once.
 *
 * @example
 * ```ts
 * import { App, Stack } from 'aws-cdk-lib';
 * import { MessageEndpoint, OutboxRelay, OutboxTable, SagaTable } from 'sagabox/constructs';
 *
 * const stack = new Stack(new App(), 'Orders');
 * const sagaTable = new SagaTable(stack, 'SagaTable');
 * const outboxTable = new OutboxTable(stack, 'Outbox', { relayStream: true });
 * const orders = new MessageEndpoint(stack, 'Orders', { entry: 'lambdas/orders.ts', sagaTable, outboxTable });
 * const billing = new MessageEndpoint(stack, 'Billing', { entry: 'lambdas/billing.ts', outboxTable });
 * const relay = new OutboxRelay(stack, 'Relay', { endpoints: [orders, billing] });
 * relay.metricRelayErrors().createAlarm(stack, 'NotRelayed', { threshold: 1, evaluationPeriods: 1 });
 * ```
 */
export class OutboxRelay extends Construct {
  readonly function: LambdaFunction;
  readonly rule: Rule;
  /** The function that reads the streams of the tables; `undefined` if the relay scans them. */
  readonly watcher: LambdaFunction | undefined;
  /** Those of the watcher, one for each table that the relay searches; none if it scans them. */
  readonly mappings: readonly EventSourceMapping[];
  /** Whose records it relays. */
  readonly endpoints: readonly RelayedEndpoint[];
  /** How often it runs. */
  readonly every: Duration;
  /** Of the metrics that its runs emit, if they do. */
  readonly metricsNamespace: string | undefined;

  constructor(scope: Construct, id: string, given: OutboxRelayProps) {
    super(scope, id);
    assertInStack(this);
    watchLimits(this);
    const violations = new Violations(this, () => {
      warnOfManyReaders(this);
      return [
        // Functions may have been added to its endpoints since.
        ...relayViolations(relayFacts(this, props)),
        ...relayKeysViolations(this.endpoints),
        ...nameProblems(this),
      ];
    });
    const props = consistentProps(given, outboxRelayRows, [], violations);
    const facts = relayFacts(this, props);
    this.endpoints = props.endpoints ?? [];
    addRelay(this);
    // What cannot be referred to is reported with all other problems.
    const endpoints = [...new Set(this.endpoints)].filter((endpoint) => isInPlaceOf(this, endpoint));
    const { every, strategy } = facts;
    const { functionProps = {} } = props;
    const settings = {
      architecture: props.architecture ?? outboxRelayDefaults.architecture,
      bundling: props.bundling ?? {},
      logRetention: props.logRetention,
    };
    this.function = handlerFunction(this, 'Function', {
      ...settings,
      entry: props.entry ?? packageEntry('relay-handler'),
      timeout: facts.functionTimeout,
      memorySizeMb: props.memorySizeMb ?? outboxRelayDefaults.memorySizeMb,
      functionProps,
    });
    checkFunctionRole(this, this.function);
    // The next run tries again, and an alarm is to count each failed run once.
    const delivery = { retryAttempts: 0, maxEventAge: longestWait(every) };
    this.function.configureAsyncInvoke(delivery);
    const sources = strategy === 'stream' ? readableStreams(this, searchedTables(endpoints)) : [];
    const ofWatcher = {
      ...settings,
      functionProps: propsOfWatcher(functionProps, props),
      olderThan: facts.olderThan,
    };
    const watcher =
      sources.length > 0 ? new OutboxWatcher(this, { ...ofWatcher, endpoints, sources }) : undefined;
    const watched = watcher?.watched ?? [];
    this.watcher = watcher?.function;
    this.mappings = watched.map(({ mapping }) => mapping);
    addStreamReader(
      this,
      watched.map((each) => each.table),
    );
    this.every = every;
    const environment = new RelayEnvironment(this, endpoints);
    const metricsNamespace = props.metricsNamespace ?? environment.metricsNamespace();
    const metrics = metricsEnvironment(defined({ metricsNamespace }), violations);
    this.metricsNamespace = metrics[metricsNamespaceSetting.variable];
    this.#setEnvironment(environment, endpoints, facts, watched, metrics);
    for (const table of searchedTables(endpoints)) reportUnreachableTable(this, table, 'endpoints');
    for (const endpoint of endpoints) sendingOf(endpoint)?.reportFor(this, 'endpoints');
    // A policy without statements is refused by CDK; that there are no endpoints is reported.
    const policy = endpoints.length > 0 ? this.#grant(endpoints, strategy, watched).policy : undefined;
    this.rule = new Rule(this, 'Rule', {
      schedule: Schedule.rate(this.every),
      targets: [new LambdaTarget(this.function, delivery)],
    });
    if (policy !== undefined) this.rule.node.addDependency(policy);
  }

  /** The runs that failed: records could not be dispatched, or could not be looked for. */
  metricRelayErrors(options?: MetricOptions): Metric {
    return this.function.metricErrors(options);
  }

  /**
   * A metric that its runs emit for one of its endpoints, such as `OldestUndispatchedRecordAge`: its sum, unless
   * `options` say otherwise. The operations guide lists the names.
   *
   * @throws SagaboxError `Configuration` when neither the relay nor an endpoint of it has a `metricsNamespace`
   */
  metric(endpoint: RelayedEndpoint, metricName: string, options?: MetricOptions): Metric {
    return emittedMetric(this, endpoint, metricName, options);
  }

  #grant(
    endpoints: readonly RelayedEndpoint[],
    strategy: RelayStrategy,
    watched: OutboxWatcher['watched'],
  ): MergedGrants {
    const grants = new MergedGrants(this, 'FunctionPolicy', this.function);
    const [table] = tablesOf(endpoints);
    const list = unsentCondition(endpoints);
    if (table !== undefined)
      grantOutboxRelay(table, grants, [strategy], { items: recordsCondition(endpoints), list });
    for (const { table: ofSagas, endpoints: each } of embeddedTables(endpoints)) {
      // What it may do with the outbox table finds what is there.
      const strategies = isCertainlySameTable(ofSagas, table) ? [] : [strategy];
      grantEmbeddedRelay(ofSagas, grants, strategies, { items: sagasCondition(each), list });
    }
    for (const { table: ofStream, mapping } of watched) {
      grantStreamCheck(ofStream, grants);
      const resourceArns = [mapping.eventSourceMappingArn];
      Grant.addToPrincipal({ grantee: grants, actions: ['lambda:GetEventSourceMapping'], resourceArns });
    }
    for (const endpoint of endpoints) sendingOf(endpoint)?.grantSending(grants);
    return grants;
  }

  #setEnvironment(
    environment: RelayEnvironment,
    endpoints: readonly RelayedEndpoint[],
    facts: RelayFacts,
    watched: OutboxWatcher['watched'],
    metrics: Record<string, string>,
  ): void {
    const settings = new MovableSettings(this, 'Settings', {
      ...movable(destinationsSetting, () => environment.destinations()),
      ...movable(schedulerSetting, () => environment.scheduler()),
      ...movable(relaySetting, () => environment.relay(facts, watched)),
    });
    const [table] = tablesOf(endpoints);
    const stack = Stack.of(this);
    const sagaTable = environment.sagaTable();
    const variables = {
      ...encoded(accountIdSetting, stack.account),
      ...encoded(outboxTableSetting, table && tableReference(table, stack)),
      ...encoded(sagaTableSetting, sagaTable),
      ...encoded(embeddedOutboxSetting, sagaTable === undefined ? undefined : true),
      ...encoded(deduplicationPeriodSetting, environment.deduplicationSeconds()),
      ...metrics,
      ...settings.variables,
    };
    for (const [name, value] of Object.entries(variables)) this.function.addEnvironment(name, value);
    settings.addTo(this.function);
  }
}

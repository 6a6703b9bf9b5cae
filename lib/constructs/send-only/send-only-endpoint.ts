import type { Duration } from 'aws-cdk-lib';
import type { Metric, MetricOptions } from 'aws-cdk-lib/aws-cloudwatch';
import type { Grant, IGrantable } from 'aws-cdk-lib/aws-iam';
import type { ITopic } from 'aws-cdk-lib/aws-sns';
import { Construct } from 'constructs';
import { metricsNamespaceSetting, operationSetting } from '../../settings/endpoint.ts';
import { encode } from '../../settings/setting.ts';
import type { AnyBucket, AnyEventBus, AnyFunction, AnyTable } from '../construct-types.ts';
import type { MessageDestination } from '../destinations/destination-registry.ts';
import type { PublicationOptions } from '../destinations/publication-registry.ts';
import { endpointEnvironment } from '../endpoint/endpoint-environment.ts';
import { EndpointSending } from '../endpoint/endpoint-sending.ts';
import { minDeduplicationPeriod } from '../endpoint/endpoint-settings.ts';
import { checkFunctionRole } from '../endpoint/function-role.ts';
import type { IMessageEndpoint } from '../endpoint/message-endpoint-interface.ts';
import { sendingFacts } from '../endpoint/sending-facts.ts';
import { assertGrantee, granteeProblem, refusedGrant } from '../grantees.ts';
import { nameProblems } from '../limits/physical-names.ts';
import { watchLimits } from '../limits/stack-limits.ts';
import { emittedMetric } from '../monitoring/emitted-metric.ts';
import { metricsEnvironment } from '../monitoring/metrics-environment.ts';
import { outputEndpoint } from '../operating/endpoint-output.ts';
import { grantOperate } from '../operating/operate-access.ts';
import { assertInStack } from '../places.ts';
import { isRelayed } from '../relay/relays.ts';
import type { MessageScheduler } from '../scheduler/message-scheduler.ts';
import { addRecordOwner } from '../tables/record-owners.ts';
import { grantRecords } from '../tables/table-access.ts';
import { reportUnreachableTable } from '../tables/table-place.ts';
import { tableViolations } from '../tables/table-rules.ts';
import { warnOfTables } from '../tables/table-warnings.ts';
import { Violations } from '../violations.ts';
import type { SendOnlyEndpointProps } from './send-only-endpoint-props.ts';
import { sendOnlyViolations } from './send-only-rules.ts';
import { type SendOnlySettings, validSendOnlySettings } from './send-only-settings.ts';
import { SessionFunctions } from './session-functions.ts';

/**
 * An endpoint without a queue, for functions that run outbox sessions: those of HTTP APIs, function URLs,
 * schedules and streams. Each function gets the permissions of a session and its environment, and keeps those
 * that you give it, as for the tables of its own writes.
 *
 * Wrong settings, and settings that contradict each other, are reported at synth, all at once.
 *
 * @example
 * ```ts
 * import { App, Duration, Stack } from 'aws-cdk-lib';
 * import { Runtime } from 'aws-cdk-lib/aws-lambda';
 * import { NodejsFunction } from 'aws-cdk-lib/aws-lambda-nodejs';
 * import { MessageEndpoint, OutboxRelay, OutboxTable, SagaTable, SendOnlyEndpoint } from 'sagabox/constructs';
 *
 * const stack = new Stack(new App(), 'Shop');
 * const sagaTable = new SagaTable(stack, 'SagaTable');
 * const outboxTable = new OutboxTable(stack, 'Outbox', { relayStream: true });
 * const orders = new MessageEndpoint(stack, 'Orders', { entry: 'lambdas/orders.ts', sagaTable, outboxTable });
 *
 * const api = new SendOnlyEndpoint(stack, 'ShopApi', { outboxTable });
 * const placeOrder = new NodejsFunction(stack, 'PlaceOrder', {
 *   entry: 'lambdas/place-order.ts',
 *   runtime: Runtime.NODEJS_24_X,
 *   timeout: Duration.seconds(10),
 *   memorySize: 512,
 * });
 * api.addFunction(placeOrder);
 * api.sendsTo(orders);
 * new OutboxRelay(stack, 'Relay', { endpoints: [orders, api] });
 * ```
 */
export class SendOnlyEndpoint extends Construct {
  /** The name of the endpoint, and the scope of its records. */
  readonly endpointName: string;
  /** `undefined` only if it is missing, which is reported. */
  readonly outboxTable: AnyTable | undefined;
  /** How long a record, with its response, is kept once its messages are dispatched. */
  readonly deduplicationPeriod: Duration;
  /** The scheduler, which other endpoints can share; `undefined` if there is none. */
  readonly scheduler: MessageScheduler | undefined;
  readonly claimCheckBucket: AnyBucket | undefined;
  /** The namespace of the metrics that sessions emit; `undefined` if they emit none. */
  readonly metricsNamespace: string | undefined;

  readonly #sending: EndpointSending;
  readonly #functions: SessionFunctions;
  readonly #environment: Readonly<Record<string, string>>;

  constructor(scope: Construct, id: string, props: SendOnlyEndpointProps) {
    super(scope, id);
    assertInStack(this);
    const violations = new Violations(this, () => this.#violations(settings));
    const settings = validSendOnlySettings(this, props, violations);
    this.endpointName = settings.endpointName ?? id.toLowerCase();
    this.outboxTable = settings.outboxTable;
    this.deduplicationPeriod = settings.deduplicationPeriod ?? minDeduplicationPeriod;
    this.#sending = new EndpointSending(this, settings);
    this.scheduler = this.#sending.scheduler;
    this.claimCheckBucket = this.#sending.claimCheck?.bucket;
    const metrics = metricsEnvironment(settings, violations);
    this.metricsNamespace = metrics[metricsNamespaceSetting.variable];
    this.#environment = { ...endpointEnvironment(this, this.#sending), ...metrics };
    this.#functions = new SessionFunctions(this, violations);
    if (this.outboxTable !== undefined) reportUnreachableTable(this, this.outboxTable, 'outboxTable');
    warnOfTables(this);
    addRecordOwner(this);
    watchLimits(this, this.scheduler?.role);
    outputEndpoint(this, settings);
    this.addFunction(...(settings.functions ?? []));
  }

  /**
   * Lets functions of the app, or aliases or versions of them, run sessions of the endpoint: adds the
   * environment and the permissions. A function can serve one endpoint only. Its events are known by its path in
   * the app: one that replaces it does not handle them again.
   */
  addFunction(...functions: AnyFunction[]): void {
    for (const target of functions) {
      const handler = this.#functions.add(target);
      if (handler === undefined) continue;
      for (const [name, value] of Object.entries(this.#environment)) handler.addEnvironment(name, value);
      // Not its physical name: a function that takes its place has done what this one did.
      handler.addEnvironment(operationSetting.variable, encode(operationSetting, handler.node.path));
      this.#sending.settings.addTo(handler);
      this.grantSession(handler);
      this.#sending.reportFor(handler, 'functions');
      if (this.outboxTable !== undefined) reportUnreachableTable(handler, this.outboxTable, 'functions');
      checkFunctionRole(this, handler);
      watchLimits(handler, handler.role);
    }
  }

  /**
   * Allows sessions to `send` to these endpoints, queues, topics or event buses, by the endpoints' names or the
   * given names, as {@link MessageEndpoint.sendsTo}.
   */
  sendsTo(...destinations: (IMessageEndpoint | MessageDestination)[]): void {
    for (const destination of destinations) this.#sending.sendTo(destination);
  }

  /**
   * Allows sessions to `publish` to an SNS topic or an EventBridge event bus, as
   * {@link MessageEndpoint.publishesTo}.
   */
  publishesTo(target: ITopic | AnyEventBus, options: PublicationOptions = {}): void {
    this.#sending.publish(target, options);
  }

  /** The variables of sagabox, for a program that runs sessions outside Lambda: {@link grantSession} its role. */
  get handlerEnvironment(): Readonly<Record<string, string>> {
    return { ...this.#environment };
  }

  /** The longest timeout of its functions, 3 seconds while there are none. */
  get longestFunctionTimeout(): Duration {
    return this.#functions.longestTimeout;
  }

  /** Allows to run sessions: to keep their records, and to send to all destinations, also later ones. */
  grantSession(grantee: IGrantable): Grant {
    assertGrantee('grantSession', this, grantee);
    const problem = granteeProblem(this, grantee);
    if (problem !== undefined) return refusedGrant(this, 'grantSession', grantee, problem);
    this.#sending.grantClaimCheck(this.endpointName, grantee);
    const grant = this.grantDispatch(grantee);
    return this.outboxTable === undefined ? grant : grant.combine(grantRecords(this.outboxTable, grantee));
  }

  /** Allows sending to all destinations of the endpoint, also later ones. */
  grantDispatch(grantee: IGrantable): Grant {
    return this.#sending.grantDispatch(grantee);
  }

  /**
   * A metric that sessions emit by themselves: its sum, unless `options` say otherwise. The operations guide
   * lists the names.
   *
   * @throws SagaboxError `Configuration` when the endpoint has no `metricsNamespace`
   */
  metric(metricName: string, options?: MetricOptions): Metric {
    return emittedMetric(this, this, metricName, options);
  }

  /** Allows a role or user of this account `sagabox relay`, and reads of the outbox table by key. */
  grantOperate(grantee: IGrantable): Grant {
    return grantOperate(this, grantee);
  }

  #violations(settings: SendOnlySettings): string[] {
    this.#functions.warnOfUnsetResources();
    const { deduplicationPeriod } = this;
    const facts = {
      ...sendingFacts(this, this.#sending),
      deduplicationSeconds: deduplicationPeriod.isUnresolved() ? undefined : deduplicationPeriod.toSeconds(),
      isRelayed: settings.relay === 'elsewhere' || isRelayed(this),
      sharedFunctions: this.#functions.shared,
    };
    return [...sendOnlyViolations(facts), ...tableViolations(this, settings), ...nameProblems(this)];
  }
}

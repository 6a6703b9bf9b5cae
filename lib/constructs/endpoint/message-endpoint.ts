import type { Duration } from 'aws-cdk-lib';
import type { Metric, MetricOptions } from 'aws-cdk-lib/aws-cloudwatch';
import type { Rule } from 'aws-cdk-lib/aws-events';
import type { Grant, IGrantable } from 'aws-cdk-lib/aws-iam';
import { Alias, type Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import type { ITopic, Subscription } from 'aws-cdk-lib/aws-sns';
import type { IQueue, Queue } from 'aws-cdk-lib/aws-sqs';
import type { Construct } from 'constructs';
import type { LockingMode } from '../../saga/definition/locking.ts';
import { metricsNamespaceSetting } from '../../settings/endpoint.ts';
import { AppRegistry } from '../app-registry.ts';
import type { AnyBucket, AnyEventBus, AnyTable } from '../construct-types.ts';
import type { MessageDestination } from '../destinations/destination-registry.ts';
import type { PublicationOptions } from '../destinations/publication-registry.ts';
import { nameProblems } from '../limits/physical-names.ts';
import { watchLimits } from '../limits/stack-limits.ts';
import { metricsEnvironment } from '../monitoring/metrics-environment.ts';
import { waitingMessages } from '../monitoring/waiting-messages.ts';
import { outputEndpoint } from '../operating/endpoint-output.ts';
import { grantOperate } from '../operating/operate-access.ts';
import { assertInStack } from '../places.ts';
import type { MessageScheduler } from '../scheduler/message-scheduler.ts';
import { addReceiver } from '../subscriptions/receivers.ts';
import { subscribe } from '../subscriptions/subscribe.ts';
import { SubscribedQueue } from '../subscriptions/subscribed-queue.ts';
import type {
  EventSubscriptionOptions,
  TopicSubscriptionOptions,
} from '../subscriptions/subscription-options.ts';
import { grantTables } from '../tables/table-access.ts';
import { tableViolations } from '../tables/table-rules.ts';
import { warnOfTables } from '../tables/table-warnings.ts';
import { Violations } from '../violations.ts';
import { endpointEnvironment } from './endpoint-environment.ts';
import { endpointFacts } from './endpoint-facts.ts';
import { endpointFunction } from './endpoint-function.ts';
import { endpointQueues } from './endpoint-queue.ts';
import { endpointDefaults } from './endpoint-rows.ts';
import { EndpointSending } from './endpoint-sending.ts';
import { unsetFunctionTimeout } from './endpoint-settings.ts';
import { type EndpointTimings, endpointTimings } from './endpoint-timings.ts';
import { warnOfEndpoint } from './endpoint-warnings.ts';
import { sendErrorsTo } from './error-queue.ts';
import { consumeQueue } from './event-source.ts';
import { ImportedEndpoint, type MessageEndpointAttributes } from './imported-endpoint.ts';
import { MessageEndpointBase } from './message-endpoint-base.ts';
import type { IMessageEndpoint } from './message-endpoint-interface.ts';
import type { EndpointSettings, MessageEndpointProps } from './message-endpoint-props.ts';
import { endpointViolations } from './rendered-rules.ts';
import { validSettings } from './valid-settings.ts';

const endpoints = new AppRegistry<MessageEndpoint>();

/**
 * A queue with its dead letter queue and error queue, the function that handles its messages, the event
 * source mapping with partial batch responses, the permissions of what the runtime calls, and its environment.
 *
 * Wrong settings, and settings that contradict each other, are reported at synth, all at once.
 *
 * @example
 * ```ts
 * import { App, Stack } from 'aws-cdk-lib';
 * import { MessageEndpoint, OutboxTable, SagaTable } from 'sagabox/constructs';
 *
 * const stack = new Stack(new App(), 'Orders');
 * const sagaTable = new SagaTable(stack, 'Sagas');
 * const outboxTable = new OutboxTable(stack, 'Outbox');
 *
 * const billing = new MessageEndpoint(stack, 'Billing', { entry: 'lambdas/billing.ts', outboxTable });
 * const orders = new MessageEndpoint(stack, 'Orders', {
 *   entry: 'lambdas/orders.ts',
 *   sagaTable,
 *   outboxTable,
 * });
 * orders.sendsTo(billing);
 * billing.sendsTo(orders);
 * ```
 */
export class MessageEndpoint extends MessageEndpointBase {
  /**
   * An endpoint that is declared in another stack, app or account, to send to. Declare it with a `queueName`.
   * In another account it must also allow the senders, by
   * `grantSendMessages(new AccountPrincipal('222222222222'))`.
   *
   * @example
   * ```ts
   * import { App, Stack } from 'aws-cdk-lib';
   * import { MessageEndpoint, MessagingTable } from 'sagabox/constructs';
   *
   * const stack = new Stack(new App(), 'Orders');
   * const table = new MessagingTable(stack, 'Messages');
   * const tables = { sagaTable: table, outboxTable: table };
   * const orders = new MessageEndpoint(stack, 'Orders', { entry: 'lambdas/orders.ts', ...tables });
   * const billing = MessageEndpoint.fromMessageEndpointAttributes(stack, 'Billing', {
   *   endpointName: 'billing',
   *   queueArn: 'arn:aws:sqs:eu-west-1:222222222222:billing',
   * });
   * orders.sendsTo(billing);
   * ```
   */
  static fromMessageEndpointAttributes(
    scope: Construct,
    id: string,
    attributes: MessageEndpointAttributes,
  ): IMessageEndpoint {
    return new ImportedEndpoint(scope, id, attributes);
  }

  /** The name of the endpoint as a destination, and the scope of its deduplication. */
  readonly endpointName: string;
  readonly queue: IQueue;
  /** Undefined for that of an imported `queue`, unless it is given. */
  readonly deadLetterQueue: IQueue | undefined;
  readonly errorQueue: IQueue | undefined;
  readonly function: LambdaFunction;
  /** The alias that handles the messages; `undefined` if the function handles them. */
  readonly alias: Alias | undefined;
  /** The UUID of the event source mapping. */
  readonly eventSourceMappingId: string;
  readonly sagaTable: AnyTable | undefined;
  readonly outboxTable: AnyTable | undefined;
  /** How long the outbox remembers a message, counted from its dispatch. */
  readonly deduplicationPeriod: Duration;
  /** The locking mode of handlers that do not set one. */
  readonly locking: LockingMode;
  /** Whether a saga of the endpoint has `outbox: embeddedOutbox()`. */
  readonly embeddedOutbox: boolean;
  /** The scheduler, which other endpoints can share; `undefined` if there is none. */
  readonly scheduler: MessageScheduler | undefined;
  readonly claimCheckBucket: AnyBucket | undefined;
  /** The namespace of the metrics that the function emits; `undefined` if it emits none. */
  readonly metricsNamespace: string | undefined;

  readonly #sending: EndpointSending;
  readonly #subscribed: SubscribedQueue;
  readonly #environment: Readonly<Record<string, string>>;

  constructor(scope: Construct, id: string, props: MessageEndpointProps) {
    super(scope, id);
    assertInStack(this);
    const violations = new Violations(this, () => this.#violations(timings, settings));
    const settings = validSettings(this, props, violations);
    this.endpointName = settings.endpointName ?? id.toLowerCase();
    this.sagaTable = settings.sagaTable;
    this.outboxTable = settings.outboxTable;
    this.locking = settings.locking ?? endpointDefaults.locking;
    this.embeddedOutbox = settings.embeddedOutbox ?? endpointDefaults.embeddedOutbox;
    const { handler, target } = endpointFunction(this, settings, violations);
    this.function = handler;
    this.alias = target instanceof Alias ? target : undefined;
    const timings = endpointTimings(settings, handler.timeout ?? unsetFunctionTimeout, violations);
    this.deduplicationPeriod = timings.deduplicationPeriod;
    const queues = endpointQueues(this, settings, timings);
    ({ queue: this.queue, deadLetterQueue: this.deadLetterQueue, errorQueue: this.errorQueue } = queues);
    this.#subscribed = new SubscribedQueue(this, queues, timings, settings);
    this.#sending = new EndpointSending(this, settings);
    this.scheduler = this.#sending.scheduler;
    this.claimCheckBucket = this.#sending.claimCheck?.bucket;
    const metrics = metricsEnvironment(settings, violations);
    this.metricsNamespace = metrics[metricsNamespaceSetting.variable];
    const environment = endpointEnvironment(this, this.#sending, timings.maxReceiveCount);
    this.#environment = { ...environment, ...metrics };
    this.eventSourceMappingId = consumeQueue(this, this.queue, handler, target, settings);
    sendErrorsTo(this, this.errorQueue, this.function);
    grantTables(this, settings, this.function);
    warnOfTables(this);
    this.#sending.grantDispatch(this.function);
    this.#sending.grantClaimCheck(this.endpointName, this.function);
    const variables = { ...settings.environment, ...this.#environment };
    for (const [name, value] of Object.entries(variables)) this.function.addEnvironment(name, value);
    this.#sending.settings.addTo(this.function);
    this.sendsTo(this);
    endpoints.add(this);
    addReceiver(this, this.#subscribed);
    watchLimits(this, this.function, this.function.role, this.scheduler?.role);
    outputEndpoint(this, settings);
  }

  /**
   * Allows handlers to `send` to these endpoints, queues, topics or event buses, by the endpoints' names or
   * the given names. An endpoint can always send to its own queue.
   *
   * Two stacks cannot depend on each other: if endpoints of two stacks send to each other, give each a
   * `queueName`. An endpoint of another account needs one too.
   *
   * A name that is empty, or stands for another destination already, is reported at synth.
   */
  sendsTo(...destinations: (IMessageEndpoint | MessageDestination)[]): void {
    for (const destination of destinations) this.#sending.sendTo(destination);
  }

  /**
   * Allows handlers to `publish` to an SNS topic or an EventBridge event bus: messages of the given types, or
   * of all types that are not published elsewhere. Handlers can also `send` to it by its name.
   *
   * A message type that is published elsewhere already, and a name that stands for another destination, are
   * reported at synth.
   *
   * @example
   * ```ts
   * import { App, Stack } from 'aws-cdk-lib';
   * import { EventBus } from 'aws-cdk-lib/aws-events';
   * import { Topic } from 'aws-cdk-lib/aws-sns';
   * import { MessageEndpoint, MessagingTable } from 'sagabox/constructs';
   *
   * const stack = new Stack(new App(), 'Orders');
   * const table = new MessagingTable(stack, 'Messages');
   * const tables = { sagaTable: table, outboxTable: table };
   * const orders = new MessageEndpoint(stack, 'Orders', { entry: 'lambdas/orders.ts', ...tables });
   * orders.publishesTo(new Topic(stack, 'OrderEvents'));
   * orders.publishesTo(new EventBus(stack, 'Company'), { name: 'company', messageTypes: ['OrderShipped'] });
   * ```
   */
  publishesTo(target: ITopic | AnyEventBus, options: PublicationOptions = {}): void {
    this.#sending.publish(target, options);
  }

  /**
   * Delivers the messages of a topic to the endpoint. Messages that SNS cannot deliver go to the dead letter
   * queue, or to the {@link undeliveredQueue} if that is of another kind than the topic, FIFO or standard.
   *
   * @throws SagaboxError `Configuration` when the endpoint is FIFO and the topic is not, it is subscribed to
   *   already, or options are wrong: without a subscription there is nothing to return
   *
   * @example
   * ```ts
   * import { App, Stack } from 'aws-cdk-lib';
   * import { EventBus } from 'aws-cdk-lib/aws-events';
   * import { Topic } from 'aws-cdk-lib/aws-sns';
   * import { MessageEndpoint } from 'sagabox/constructs';
   *
   * const stack = new Stack(new App(), 'Orders');
   * const billing = new MessageEndpoint(stack, 'Billing', { entry: 'lambdas/billing.ts' });
   * billing.subscribesTo(new Topic(stack, 'OrderEvents'), { messageTypes: ['OrderPlaced'] });
   * billing.subscribesTo(EventBus.fromEventBusName(stack, 'Default', 'default'), {
   *   eventPattern: { source: ['aws.s3'], detailType: ['Object Created'] },
   * });
   * billing.subscribesTo(new EventBus(stack, 'Company'), { fromEndpoints: ['shipping'] });
   * ```
   */
  subscribesTo(topic: ITopic, options?: TopicSubscriptionOptions): Subscription;
  /**
   * Delivers events of a bus to the endpoint. Events that EventBridge cannot deliver go to the dead letter
   * queue, or to the {@link undeliveredQueue} if that is FIFO.
   *
   * @throws SagaboxError `Configuration` when options are wrong or select no events, or the endpoint is FIFO
   *   and there is no message group: without a rule there is nothing to return
   */
  subscribesTo(eventBus: AnyEventBus, options: EventSubscriptionOptions): Rule;
  subscribesTo(
    source: ITopic | AnyEventBus,
    options: TopicSubscriptionOptions | EventSubscriptionOptions = {},
  ): Subscription | Rule {
    return subscribe(this.#subscribed, source, options);
  }

  /** Takes what a source of another kind, FIFO or standard, could not deliver; `undefined` if none. */
  get undeliveredQueue(): Queue | undefined {
    return this.#subscribed.undeliveredQueue;
  }

  /** The variables of sagabox, for another function that works for the endpoint. */
  get handlerEnvironment(): Readonly<Record<string, string>> {
    return { ...this.#environment };
  }

  /** Allows sending to all destinations of the endpoint, also later ones, and handling its schedules. */
  grantDispatch(grantee: IGrantable): Grant {
    return this.#sending.grantDispatch(grantee);
  }

  /** Allows a role or user of this account `sagabox redrive`, `sagabox relay`, and reads of tables by key. */
  grantOperate(grantee: IGrantable): Grant {
    return grantOperate(this, grantee, this.#subscribed);
  }

  /**
   * The number of messages in the {@link undeliveredQueue}.
   *
   * @throws SagaboxError `Configuration` when there is none
   */
  metricUndeliveredQueueMessages(options?: MetricOptions): Metric {
    const setting = `undeliveredQueue of '${this.node.path}'`;
    const problem = 'the endpoint subscribes to no source that needs it';
    const missing = { setting, problem, remedy: 'Watch metricDeadLetterQueueMessages' };
    return waitingMessages(this.undeliveredQueue, missing, options);
  }

  #violations(timings: EndpointTimings, settings: EndpointSettings): string[] {
    const others = endpoints.ofAppOf(this).filter((other) => other !== this);
    const { sources, receivingQueues } = this.#subscribed;
    const facts = endpointFacts(this, { timings, others, sending: this.#sending, sources, receivingQueues });
    warnOfEndpoint(this, { facts, settings, others });
    return [...endpointViolations(facts), ...tableViolations(this, settings), ...nameProblems(this)];
  }
}

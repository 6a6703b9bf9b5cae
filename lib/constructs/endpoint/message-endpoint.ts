import type { Metric, MetricOptions } from 'aws-cdk-lib/aws-cloudwatch';
import type { Rule } from 'aws-cdk-lib/aws-events';
import type { Grant, IGrantable } from 'aws-cdk-lib/aws-iam';
import type { Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import type { ITopic, Subscription } from 'aws-cdk-lib/aws-sns';
import type { IQueue, Queue } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import type { AnyBucket, AnyEventBus, AnyTable } from '../any-resource.ts';
import { type MessageDestination, targetOf } from '../destinations/destination-registry.ts';
import { isTopic, sameTarget } from '../destinations/destination-target.ts';
import type { PublicationOptions } from '../destinations/publication-registry.ts';
import { grantSend } from '../destinations/queue-access.ts';
import { waitingMessages } from '../monitoring/waiting-messages.ts';
import type { MessageScheduler } from '../scheduler/message-scheduler.ts';
import { subscribeToEvents } from '../subscriptions/event-subscription.ts';
import { SubscribedQueue } from '../subscriptions/subscribed-queue.ts';
import type {
  EventSubscriptionOptions,
  TopicSubscriptionOptions,
} from '../subscriptions/subscription-options.ts';
import { subscribeToTopic } from '../subscriptions/topic-subscription.ts';
import { hasRelayIndex } from '../tables/messaging-table.ts';
import { grantTables } from '../tables/table-access.ts';
import { endpointEnvironment } from './endpoint-environment.ts';
import { endpointFacts } from './endpoint-facts.ts';
import { consumeQueue, endpointFunction } from './endpoint-function.ts';
import { endpointQueues } from './endpoint-queue.ts';
import { endpointViolations } from './endpoint-rules.ts';
import { EndpointSending } from './endpoint-sending.ts';
import { assertEndpointSettings, endpointDefaults, unsetFunctionTimeout } from './endpoint-settings.ts';
import { type EndpointTimings, endpointTimings } from './endpoint-timings.ts';
import type { MessageEndpointProps } from './message-endpoint-props.ts';

/**
 * A queue with its dead letter queue and its error queue, the function that handles its messages, and all
 * that lies between: the event source with partial batch responses, the permissions of exactly what the
 * runtime calls, and its environment.
 *
 * Settings that contradict each other are reported at synth, all at once.
 *
 * @throws SagaboxError `Configuration` when a setting is invalid by itself
 *
 * @example
 * ```ts
 * import { App, Duration, Stack } from 'aws-cdk-lib';
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
 *   functionTimeout: Duration.seconds(20),
 * });
 * orders.sendsTo(billing);
 * billing.sendsTo(orders);
 * ```
 */
export class MessageEndpoint extends Construct {
  /** What others send to, and what deduplication is scoped by. */
  readonly endpointName: string;
  readonly queue: Queue;
  /** Messages received `maxReceiveCount` times, and those that a source of its kind could not deliver. */
  readonly deadLetterQueue: Queue;
  /** Takes the messages that could not be handled, each with what went wrong. */
  readonly errorQueue: IQueue | undefined;
  readonly function: LambdaFunction;
  readonly sagaTable: AnyTable | undefined;
  readonly outboxTable: AnyTable | undefined;
  /** Whether undispatched records are kept in the sparse index of the outbox table. */
  readonly hasRelayIndex: boolean;
  /** May be given to other endpoints. */
  readonly scheduler: MessageScheduler | undefined;
  readonly claimCheckBucket: AnyBucket | undefined;

  readonly #sending: EndpointSending;
  readonly #subscribed: SubscribedQueue;
  readonly #environment: Readonly<Record<string, string>>;

  constructor(scope: Construct, id: string, props: MessageEndpointProps) {
    super(scope, id);
    assertEndpointSettings(props);
    this.endpointName = props.endpointName ?? id.toLowerCase();
    this.sagaTable = props.sagaTable;
    this.outboxTable = props.outboxTable;
    this.hasRelayIndex = props.relayIndex ?? hasRelayIndex(props.outboxTable);
    this.function = endpointFunction(this, props);
    const functionTimeout = this.function.timeout ?? unsetFunctionTimeout;
    const timings = endpointTimings(props, functionTimeout);
    const { errorQueue, encryptionKey, fifo = endpointDefaults.fifo } = props;
    const queues = endpointQueues(this, { ...timings, errorQueue, encryptionKey, fifo });
    this.queue = queues.queue;
    this.deadLetterQueue = queues.deadLetterQueue;
    this.errorQueue = queues.errorQueue;
    this.#subscribed = new SubscribedQueue(
      this,
      this.queue,
      this.deadLetterQueue,
      timings.deadLetterRetention,
    );
    this.#sending = new EndpointSending(this, props);
    this.scheduler = this.#sending.scheduler;
    this.claimCheckBucket = this.#sending.claimCheck?.bucket;
    this.#environment = endpointEnvironment(this, timings, this.#sending);

    consumeQueue(this.function, this.queue, props);
    if (this.errorQueue !== undefined) grantSend(this.errorQueue, this.function);
    grantTables(this, this.function);
    this.#sending.grantDispatch(this.function);
    this.#sending.grantClaimCheck(this.endpointName, this.function);
    const variables = { ...props.environment, ...this.#environment };
    for (const [name, value] of Object.entries(variables)) this.function.addEnvironment(name, value);
    this.sendsTo(this);
    this.node.addValidation({ validate: () => this.#violations(timings) });
  }

  /**
   * Lets the handlers `send` to these endpoints, queues, topics or event buses, under the endpoints' names or
   * the given ones. To its own queue an endpoint always may.
   *
   * Endpoints of two stacks that both send to each other would make the stacks depend on each other, which
   * CloudFormation refuses: pass the queue of one of them as `{ name, queue }`, imported by its ARN.
   *
   * @throws SagaboxError `Configuration` when a name is empty, or stands for another destination already
   */
  sendsTo(...destinations: (MessageEndpoint | MessageDestination)[]): void {
    for (const destination of destinations) {
      const isEndpoint = destination instanceof MessageEndpoint;
      const name = isEndpoint ? destination.endpointName : destination.name;
      const target = isEndpoint ? destination.queue : targetOf(destination);
      const size = 'maxMessageSizeBytes' in destination ? destination.maxMessageSizeBytes : undefined;
      this.#sending.addDestination(name, target, 'sendsTo', size);
    }
  }

  /**
   * Lets the handlers `publish` to a topic of SNS or an event bus of EventBridge: messages of the given
   * types, or of all types that are not published elsewhere. Handlers can also `send` to it by its name.
   *
   * @throws SagaboxError `Configuration` when a message type is published elsewhere already, or the name
   *   stands for another destination
   *
   * @example
   * ```ts
   * import { App, Stack } from 'aws-cdk-lib';
   * import { EventBus } from 'aws-cdk-lib/aws-events';
   * import { Topic } from 'aws-cdk-lib/aws-sns';
   * import { MessageEndpoint } from 'sagabox/constructs';
   *
   * const stack = new Stack(new App(), 'Orders');
   * const orders = new MessageEndpoint(stack, 'Orders', { entry: 'lambdas/orders.ts' });
   * orders.publishesTo(new Topic(stack, 'OrderEvents'));
   * orders.publishesTo(new EventBus(stack, 'Company'), { name: 'company', messageTypes: ['OrderShipped'] });
   * ```
   */
  publishesTo(target: ITopic | AnyEventBus, options: PublicationOptions = {}): void {
    this.#sending.publish(target, options);
  }

  /**
   * Brings the messages of a topic to the endpoint. What SNS cannot deliver goes to the dead letter queue;
   * when it is of another kind than the topic, FIFO or standard, to the {@link undeliveredQueue}.
   *
   * @throws SagaboxError `Configuration` when the endpoint is FIFO and the topic is not, or it is subscribed
   *   to already
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
   * Brings events of a bus to the endpoint. What EventBridge cannot deliver goes to the dead letter queue;
   * when that is FIFO, to the {@link undeliveredQueue}.
   *
   * @throws SagaboxError `Configuration` when nothing tells which events, or the endpoint is FIFO and no
   *   message group is given
   */
  subscribesTo(eventBus: AnyEventBus, options: EventSubscriptionOptions): Rule;
  subscribesTo(
    source: ITopic | AnyEventBus,
    options: TopicSubscriptionOptions | EventSubscriptionOptions = {},
  ): Subscription | Rule {
    if (!isTopic(source))
      return subscribeToEvents(this.#subscribed, source, options as EventSubscriptionOptions);
    return subscribeToTopic(this.#subscribed, source, options as TopicSubscriptionOptions);
  }

  /** What a source could not deliver, if the dead letter queue is of another kind, FIFO or standard. */
  get undeliveredQueue(): Queue | undefined {
    return this.#subscribed.undeliveredQueue;
  }

  /** The variables of sagabox, for another function that works for the endpoint. */
  get handlerEnvironment(): Readonly<Record<string, string>> {
    return { ...this.#environment };
  }

  /** Allows to send to all destinations of the endpoint, later ones too, and to make and cancel schedules. */
  grantDispatch(grantee: IGrantable): Grant {
    return this.#sending.grantDispatch(grantee);
  }

  /** Allows to send messages to the endpoint's queue, and nothing else. */
  grantSendMessages(grantee: IGrantable): Grant {
    return grantSend(this.queue, grantee);
  }

  metricWaitingMessages(options?: MetricOptions): Metric {
    return this.queue.metricApproximateNumberOfMessagesVisible(options);
  }

  /** How long, in seconds, the oldest message has waited. */
  metricAgeOfOldestMessageSeconds(options?: MetricOptions): Metric {
    return this.queue.metricApproximateAgeOfOldestMessage(options);
  }

  /**
   * The messages that could not be handled, and wait in the error queue.
   *
   * @throws SagaboxError `Configuration` when the endpoint has none
   */
  metricErrors(options?: MetricOptions): Metric {
    const setting = `errorQueue of '${this.node.path}'`;
    const missing = { setting, problem: 'it is false', remedy: 'Leave it out, or watch metricDeadLetters' };
    return waitingMessages(this.errorQueue, missing, options);
  }

  /** The messages that could not be handled, or not be delivered, and wait in the dead letter queue. */
  metricDeadLetters(options?: MetricOptions): Metric {
    return this.deadLetterQueue.metricApproximateNumberOfMessagesVisible(options);
  }

  /**
   * The messages that could not be delivered, and wait in the {@link undeliveredQueue}.
   *
   * @throws SagaboxError `Configuration` when there is none
   */
  metricUndelivered(options?: MetricOptions): Metric {
    const setting = `undeliveredQueue of '${this.node.path}'`;
    const problem = 'the endpoint subscribes to no source that needs it';
    const missing = { setting, problem, remedy: 'Watch metricDeadLetters' };
    return waitingMessages(this.undeliveredQueue, missing, options);
  }

  #violations(timings: EndpointTimings): string[] {
    const endpoints = this.node.root.node.findAll().filter((each) => each instanceof MessageEndpoint);
    const others = endpoints.filter((other) => other !== this);
    const receivers = others.filter((other) => this.#reaches(other));
    const { sources } = this.#subscribed;
    const facts = endpointFacts(this, { timings, others, receivers, sending: this.#sending, sources });
    return endpointViolations(facts);
  }

  #reaches(other: MessageEndpoint): boolean {
    return this.#sending.destinations.targets.some((target) =>
      isTopic(target) ? other.#subscribed.getsAllOf(target) : sameTarget(target, other.queue),
    );
  }
}

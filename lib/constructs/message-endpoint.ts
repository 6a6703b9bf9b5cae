import { Duration, Tokenization } from 'aws-cdk-lib';
import type { Metric, MetricOptions } from 'aws-cdk-lib/aws-cloudwatch';
import type { Grant, IGrantable } from 'aws-cdk-lib/aws-iam';
import type { Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import { SqsEventSource } from 'aws-cdk-lib/aws-lambda-event-sources';
import type { IQueue, Queue } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import { environmentVariables } from '../core/environment-variables.ts';
import { SagaboxError } from '../core/errors.ts';
import type { AnyTable } from './any-table.ts';
import { DestinationRegistry, type MessageDestination } from './destination-registry.ts';
import { type EndpointTimings, endpointFacts } from './endpoint-facts.ts';
import { endpointQueues } from './endpoint-queue.ts';
import { endpointViolations } from './endpoint-rules.ts';
import {
  assertEndpointSettings,
  endpointDefaults,
  unsetFunctionTimeout,
  VISIBILITY_PER_FUNCTION_TIMEOUT,
} from './endpoint-settings.ts';
import { handlerFunction } from './handler-function.ts';
import type { MessageEndpointProps } from './message-endpoint-props.ts';
import { grantSend } from './queue-access.ts';
import { grantOutboxAccess, grantSagaAccess, grantSharedAccess } from './table-access.ts';

/**
 * A queue with its dead letter queue and its error queue, the function that handles its messages, and all that lies between: the event
 * source with partial batch responses, the permissions of exactly what the runtime calls, and its environment.
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
  /** Takes the messages that were received `maxReceiveCount` times and neither handled nor sent to the error queue. */
  readonly deadLetterQueue: Queue;
  /** Takes the messages that could not be handled, each with what went wrong. */
  readonly errorQueue: IQueue | undefined;
  readonly function: LambdaFunction;
  readonly sagaTable: AnyTable | undefined;
  readonly outboxTable: AnyTable | undefined;

  readonly #destinations: DestinationRegistry;

  constructor(scope: Construct, id: string, props: MessageEndpointProps) {
    super(scope, id);
    assertEndpointSettings(props);
    this.endpointName = props.endpointName ?? id.toLowerCase();
    this.sagaTable = props.sagaTable;
    this.outboxTable = props.outboxTable;
    this.function = props.function ?? this.#bundledFunction(props);
    const functionTimeout = this.function.timeout ?? unsetFunctionTimeout;
    const timings = {
      functionTimeout,
      visibilityTimeout: props.visibilityTimeout ?? visibilityFor(functionTimeout),
      retention: props.retention ?? endpointDefaults.retention,
      deadLetterRetention: props.deadLetterRetention ?? endpointDefaults.deadLetterRetention,
      timeToKeepDeduplicationData:
        props.timeToKeepDeduplicationData ?? endpointDefaults.timeToKeepDeduplicationData,
      maxReceiveCount: props.maxReceiveCount ?? endpointDefaults.maxReceiveCount,
    };
    const { queue, deadLetterQueue, errorQueue } = endpointQueues(this, {
      ...timings,
      errorQueue: props.errorQueue,
      fifo: props.fifo ?? endpointDefaults.fifo,
    });
    this.queue = queue;
    this.deadLetterQueue = deadLetterQueue;
    this.errorQueue = errorQueue;
    this.#destinations = new DestinationRegistry(this);

    this.#consumeQueue(props);
    if (errorQueue !== undefined) grantSend(errorQueue, this.function);
    this.#useTables();
    this.#setEnvironment(props, timings);
    this.sendsTo(this);
    this.node.addValidation({
      validate: () => endpointViolations(endpointFacts(this, timings, this.#others())),
    });
  }

  /**
   * Lets the handlers `send` to these endpoints or queues, under the endpoints' names or the given ones. To its own
   * queue an endpoint always may.
   *
   * Endpoints of two stacks that both send to each other would make the stacks depend on each other, which
   * CloudFormation refuses: pass the queue of one of them as `{ name, queue }`, imported by its ARN.
   *
   * @throws SagaboxError `Configuration` when a name is empty, or stands for another queue already
   */
  sendsTo(...destinations: (MessageEndpoint | MessageDestination)[]): void {
    for (const destination of destinations) {
      const { queue } = destination;
      const name = destination instanceof MessageEndpoint ? destination.endpointName : destination.name;
      if (this.#destinations.add({ name, queue })) grantSend(queue, this.function);
    }
  }

  /** Allows to send messages to the endpoint's queue, and nothing else. */
  grantSendMessages(grantee: IGrantable): Grant {
    return grantSend(this.queue, grantee);
  }

  /** The messages that wait for the endpoint. */
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
    if (this.errorQueue !== undefined) {
      return this.errorQueue.metricApproximateNumberOfMessagesVisible(options);
    }
    throw new SagaboxError('Configuration', {
      setting: `errorQueue of '${this.node.path}'`,
      problem: 'it is false',
      remedy: 'Leave it out, or watch metricDeadLetters',
    });
  }

  /** The messages that could not be handled, and wait in the dead letter queue. */
  metricDeadLetters(options?: MetricOptions): Metric {
    return this.deadLetterQueue.metricApproximateNumberOfMessagesVisible(options);
  }

  #bundledFunction(props: MessageEndpointProps & { entry: string }): LambdaFunction {
    return handlerFunction(this, 'Function', {
      entry: props.entry,
      timeout: props.functionTimeout ?? endpointDefaults.functionTimeout,
      memorySizeMb: props.memorySizeMb ?? endpointDefaults.memorySizeMb,
      architecture: props.architecture ?? endpointDefaults.architecture,
      bundling: props.bundling ?? {},
    });
  }

  #consumeQueue(props: MessageEndpointProps): void {
    this.function.addEventSource(
      new SqsEventSource(this.queue, {
        batchSize: props.batchSize ?? endpointDefaults.batchSize,
        reportBatchItemFailures: true,
        ...(props.maxConcurrency === undefined ? {} : { maxConcurrency: props.maxConcurrency }),
      }),
    );
  }

  #useTables(): void {
    const { sagaTable, outboxTable } = this;
    if (sagaTable !== undefined && sagaTable === outboxTable) {
      grantSharedAccess(sagaTable, this.function);
      return;
    }
    if (sagaTable !== undefined) grantSagaAccess(sagaTable, this.function);
    if (outboxTable !== undefined) grantOutboxAccess(outboxTable, this.function);
  }

  #others(): MessageEndpoint[] {
    const everything = this.node.root.node.findAll();
    return everything
      .filter((construct) => construct instanceof MessageEndpoint)
      .filter((other) => other !== this);
  }

  #setEnvironment(props: MessageEndpointProps, timings: EndpointTimings): void {
    const variables = {
      ...props.environment,
      [environmentVariables.endpoint]: this.endpointName,
      [environmentVariables.destinations]: this.#destinations.toJson(),
      [environmentVariables.maxReceiveCount]: Tokenization.stringifyNumber(timings.maxReceiveCount),
      ...(this.errorQueue === undefined
        ? {}
        : { [environmentVariables.errorQueue]: this.errorQueue.queueUrl }),
      ...(props.sagaTable === undefined
        ? {}
        : { [environmentVariables.sagaTable]: props.sagaTable.tableName }),
      ...(props.outboxTable === undefined
        ? {}
        : {
            [environmentVariables.outboxTable]: props.outboxTable.tableName,
            [environmentVariables.timeToKeepDeduplicationDataSeconds]: Tokenization.stringifyNumber(
              timings.timeToKeepDeduplicationData.toSeconds(),
            ),
          }),
    };
    for (const [name, value] of Object.entries(variables)) this.function.addEnvironment(name, value);
  }
}

function visibilityFor(functionTimeout: Duration): Duration {
  if (functionTimeout.isUnresolved()) {
    throw new SagaboxError('Configuration', {
      setting: 'visibilityTimeout',
      problem: "it follows from the function's timeout, which is known only at deployment",
      remedy: `Set it, to at least ${VISIBILITY_PER_FUNCTION_TIMEOUT} times the longest timeout`,
    });
  }
  return Duration.seconds(VISIBILITY_PER_FUNCTION_TIMEOUT * functionTimeout.toSeconds());
}

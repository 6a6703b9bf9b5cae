import type { EventPattern } from 'aws-cdk-lib/aws-events';
import type { SubscriptionFilter } from 'aws-cdk-lib/aws-sns';

/**
 * How an endpoint subscribes to a topic of SNS: to all of its messages, to some types, or to what a filter
 * lets through.
 */
export type TopicSubscriptionOptions = TopicSubscriptionCommonOptions &
  (TypesOfTopicOptions | FilterOfTopicOptions);

interface TopicSubscriptionCommonOptions {
  /**
   * Whether messages arrive as they were published, their headers as attributes; otherwise wrapped in a
   * notification of SNS. Handlers read both; a wrapped message is larger, by some 700 bytes.
   *
   * @default true
   */
  readonly rawMessageDelivery?: boolean;
}

interface TypesOfTopicOptions {
  /**
   * Only messages of these types, told by the attribute `Sagabox.MessageType`, as sagabox publishes them.
   *
   * @default - all
   */
  readonly messageTypes?: readonly string[];
  readonly filterPolicy?: never;
}

interface FilterOfTopicOptions {
  /** Only messages whose attributes the filter lets through. */
  readonly filterPolicy: Readonly<Record<string, SubscriptionFilter>>;
  readonly messageTypes?: never;
}

/**
 * How an endpoint subscribes to an event bus of EventBridge: by message types, by senders, or by a pattern.
 */
export type EventSubscriptionOptions = EventSubscriptionCommonOptions &
  (SagaboxEventOptions | PatternOfEventOptions);

interface EventSubscriptionCommonOptions {
  /**
   * The message group of the events; a FIFO endpoint needs it. All events of the subscription are handled one
   * after another.
   *
   * @default - none
   */
  readonly messageGroupId?: string;
}

interface SagaboxEventOptions {
  /**
   * Only events of these types, told by their detail type.
   *
   * @default - all types; then `fromEndpoints` is needed
   */
  readonly messageTypes?: readonly string[];

  /**
   * Only events that these endpoints published: endpoints, or their names.
   *
   * @default - all sources; then `messageTypes` is needed
   */
  readonly fromEndpoints?: readonly (string | { readonly endpointName: string })[];
  readonly eventPattern?: never;
}

interface PatternOfEventOptions {
  /** Which events, in the language of EventBridge: for those of AWS services, or of others. */
  readonly eventPattern: EventPattern;
  readonly messageTypes?: never;
  readonly fromEndpoints?: never;
}

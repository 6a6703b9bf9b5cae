import type { EventPattern } from 'aws-cdk-lib/aws-events';
import type { SubscriptionFilter } from 'aws-cdk-lib/aws-sns';

/**
 * How an endpoint subscribes to a topic of SNS: to all of its messages, to some types, or to what a filter
 * lets through.
 */
export type TopicSubscriptionOptions = {
  /**
   * Whether messages arrive as they were published, their headers as attributes; otherwise wrapped in a
   * notification of SNS. Handlers read both; a wrapped message is larger, by some 700 bytes.
   *
   * @default true
   */
  readonly rawMessageDelivery?: boolean;
} & OneOf<
  {
    /**
     * Only messages of these types, told by the attribute `Sagabox.MessageType`, as sagabox publishes them.
     *
     * @default - all
     */
    readonly messageTypes?: readonly string[];
  },
  {
    /** Only messages whose attributes the filter lets through. */
    readonly filterPolicy: Readonly<Record<string, SubscriptionFilter>>;
  }
>;

/**
 * How an endpoint subscribes to an event bus of EventBridge: by message types, by senders, or by a pattern.
 */
export type EventSubscriptionOptions = {
  /**
   * The message group of the events; a FIFO endpoint needs it. All events of the subscription are handled one
   * after another.
   *
   * @default - none
   */
  readonly messageGroupId?: string;
} & OneOf<
  {
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
  },
  {
    /** Which events, in the language of EventBridge: for those of AWS services, or of others. */
    readonly eventPattern: EventPattern;
  }
>;

/** Either of two sets of options, with none of the other. */
type OneOf<A, B> = (A & Without<B>) | (B & Without<A>);
type Without<Options> = { readonly [Name in keyof Options]?: never };

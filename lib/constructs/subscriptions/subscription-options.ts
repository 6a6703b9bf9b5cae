import type { EventPattern } from 'aws-cdk-lib/aws-events';
import type { SubscriptionFilter } from 'aws-cdk-lib/aws-sns';
import { aString, kind, listOf } from '../../kernel/checks/checks.ts';
import { anObject, aRecordOf, withProps } from '../checks/prop-checks.ts';
import { hasMembers, strings, trueOrFalseOrToken } from '../checks/prop-kinds.ts';

/**
 * How an endpoint subscribes to a topic of SNS: to all of its messages, to some types, or to what a filter
 * lets through.
 */
export type TopicSubscriptionOptions = {
  /**
   * Delivers messages as they were published, with their headers as attributes. With `false`, SNS wraps each
   * message in a notification of about 700 bytes. Handlers read both.
   *
   * @default true
   */
  readonly rawMessageDelivery?: boolean;
} & OneOf<
  {
    /**
     * Delivers only messages of these types, by the attribute `Sagabox.MessageType`, which sagabox sets.
     *
     * @default - all messages
     */
    readonly messageTypes?: readonly string[];
  },
  {
    /**
     * Delivers only messages whose attributes pass the filter, in place of `messageTypes`.
     *
     * @default - none: `messageTypes` select the messages
     */
    readonly filterPolicy: Readonly<Record<string, SubscriptionFilter>>;
  }
>;

/**
 * How an endpoint subscribes to an event bus of EventBridge: by message types, by senders, or by a pattern.
 */
export type EventSubscriptionOptions = {
  /**
   * The message group of the events, required by a FIFO endpoint. It handles all events of the subscription
   * one after another.
   *
   * @default - none
   */
  readonly messageGroupId?: string;
} & OneOf<
  {
    /**
     * Delivers only events of these types, by their detail type.
     *
     * @default - all types; then `fromEndpoints` is required
     */
    readonly messageTypes?: readonly string[];

    /**
     * Delivers only events that these endpoints published: endpoints, or their names.
     *
     * @default - all sources; then `messageTypes` is required
     */
    readonly fromEndpoints?: readonly (string | { readonly endpointName: string })[];
  },
  {
    /**
     * An event pattern, in place of types and endpoints: for events of AWS services and others.
     *
     * @default - none: `messageTypes` and `fromEndpoints` select the events
     */
    readonly eventPattern: EventPattern;
  }
>;

export const topicSubscriptionOptions = withProps<TopicSubscriptionOptions>({
  rawMessageDelivery: trueOrFalseOrToken,
  messageTypes: strings,
  filterPolicy: aRecordOf(kind('a SubscriptionFilter', (value) => hasMembers(value, 'conditions'))),
});

export const eventSubscriptionOptions = withProps<EventSubscriptionOptions>({
  messageGroupId: aString,
  messageTypes: strings,
  fromEndpoints: listOf(
    kind(
      'an endpoint or the name of one',
      (value) => typeof value === 'string' || hasMembers(value, 'endpointName'),
    ),
  ),
  eventPattern: anObject,
});

/** Either of two sets of options, with none of the other. */
type OneOf<A, B> = (A & Without<B>) | (B & Without<A>);
type Without<Options> = { readonly [Name in keyof Options]?: never };

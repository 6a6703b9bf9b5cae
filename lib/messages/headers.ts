/** The message attributes that sagabox sets on messages it sends, and reads from messages it receives. */
export const headerNames = {
  messageId: 'Sagabox.MessageId',
  messageType: 'Sagabox.MessageType',
  /** The id of the conversation: the same for all messages that follow from one first message. */
  conversationId: 'Sagabox.ConversationId',
  /** The id of the message whose handler sent this one. */
  causationId: 'Sagabox.CausationId',
  /** The name of the saga that sent the message. */
  saga: 'Sagabox.Saga',
  /** The correlation value of the saga that sent the message. */
  correlationId: 'Sagabox.CorrelationId',
  /** The version of the saga, as the commit of this message leaves it: later commits have higher ones. */
  sagaVersion: 'Sagabox.SagaVersion',
  /** The endpoint that `reply` sends to. */
  replyTo: 'Sagabox.ReplyTo',
  /** The time of sending, in ISO 8601. */
  sentAt: 'Sagabox.SentAt',
  /** Set on a timeout that a saga requested of itself. */
  timeout: 'Sagabox.Timeout',
  /** The keys of contributions that are left, separated by `#`, on the timeout that comes for them. */
  continues: 'Sagabox.Continues',
  /** The key of the body in the claim check bucket. */
  claimCheck: 'Sagabox.ClaimCheck',
  /** Further headers, as a JSON object, when there are too many attributes for one message. */
  folded: 'Sagabox.Headers',
  /** The failure of a message in an error queue, as JSON. */
  failure: 'Sagabox.Failure',
  /** Set on a message that `sagabox redrive` moved back to its queue. */
  redriven: 'Sagabox.Redriven',
  /** W3C Trace Context; handed on from each message to those that its handler sends. */
  traceParent: 'traceparent',
  /** W3C Trace Context; read and sent by endpoints with tracing. */
  traceState: 'tracestate',
  /** The content type, set for a body in the CloudEvents format. */
  contentType: 'content-type',
} as const;

export const OWN_HEADER_PREFIX = 'Sagabox.';

/** The value of {@link headerNames.contentType} of a body in the structured mode of CloudEvents. */
export const CLOUD_EVENTS_CONTENT_TYPE = 'application/cloudevents+json';

/**
 * Source: "Trace Context", W3C Recommendation. Versions over `00` may have further fields, here as long as
 * they leave room for the other headers.
 */
const traceParent =
  /^(?!ff|00.{54})[\da-f]{2}-(?!0{32})[\da-f]{32}-(?!0{16})[\da-f]{16}-[\da-f]{2}(-[!-~]{0,200})?$/;

/**
 * Whether a header is a trace parent. Any other is not handed on: one that a sender spoiled must not keep a
 * handler from sending.
 */
export function isTraceParent(header: string | undefined): header is string {
  return header !== undefined && traceParent.test(header);
}

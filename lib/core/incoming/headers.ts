/** The message attributes that sagabox sets on what it sends, and reads from what it receives. */
export const headerNames = {
  messageId: 'Sagabox.MessageId',
  messageType: 'Sagabox.MessageType',
  /** The same for all messages that follow from one first message. */
  conversationId: 'Sagabox.ConversationId',
  /** The id of the message whose handler sent this one. */
  causationId: 'Sagabox.CausationId',
  /** The name of the saga that sent it. */
  saga: 'Sagabox.Saga',
  /** The correlation value of the saga that sent it. */
  correlationId: 'Sagabox.CorrelationId',
  /** Of the saga, as the commit of this message leaves it: those of later commits are higher. */
  sagaVersion: 'Sagabox.SagaVersion',
  /** The endpoint that `reply` sends to. */
  replyTo: 'Sagabox.ReplyTo',
  /** ISO 8601. */
  sentAt: 'Sagabox.SentAt',
  /** On a timeout that a saga requested of itself. */
  timeout: 'Sagabox.Timeout',
  /** On the timeout that comes for the contributions that are left: their keys, separated by `#`. */
  continues: 'Sagabox.Continues',
  /** The body is kept in the claim check bucket, under this key. */
  claimCheck: 'Sagabox.ClaimCheck',
  /** More of these, as a JSON object, when there are too many attributes for one message. */
  folded: 'Sagabox.Headers',
  /** In an error queue: what went wrong, as JSON. */
  failure: 'Sagabox.Failure',
  /** On a message that `sagabox redrive` moved back to its queue. */
  redriven: 'Sagabox.Redriven',
  /** W3C Trace Context; handed on from each message to those that its handler sends. */
  traceParent: 'traceparent',
  /** W3C Trace Context; read and sent by endpoints with tracing. */
  traceState: 'tracestate',
  /** Tells a body in the CloudEvents format. */
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

/** What is none is not handed on: a header that a sender spoiled must not keep a handler from sending. */
export function isTraceParent(header: string | undefined): header is string {
  return header !== undefined && traceParent.test(header);
}

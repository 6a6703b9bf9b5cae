/** The message attributes that sagabox sets on what it sends, and reads from what it receives. */
export const headerNames = {
  messageId: 'Sagabox.MessageId',
  messageType: 'Sagabox.MessageType',
  /** The same for all messages that follow from one first message. */
  conversationId: 'Sagabox.ConversationId',
  /** The id of the message whose handler sent this one. */
  causationId: 'Sagabox.CausationId',
  /** The endpoint that `reply` sends to. */
  replyTo: 'Sagabox.ReplyTo',
  /** ISO 8601. */
  sentAt: 'Sagabox.SentAt',
  /** In an error queue: what went wrong, as JSON. */
  failure: 'Sagabox.Failure',
} as const;

export const OWN_HEADER_PREFIX = 'Sagabox.';

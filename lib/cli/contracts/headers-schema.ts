import { headerNames } from '../../messages/headers.ts';

const header = (description: string) => ({ type: 'string', description });

const headers = {
  [headerNames.messageId]: header('The same for every copy of the message: deduplication goes by it.'),
  [headerNames.messageType]: header('The message type.'),
  [headerNames.conversationId]: header('The same for all messages that follow from one first message.'),
  [headerNames.causationId]: header('The id of the message whose handler sent this one.'),
  [headerNames.saga]: header('The name of the saga that sent the message.'),
  [headerNames.correlationId]: header('The correlation value of the saga that sent the message.'),
  [headerNames.sagaVersion]: header('Of the saga, as the commit of this message left it.'),
  [headerNames.replyTo]: header('The endpoint that replies go to.'),
  [headerNames.sentAt]: { ...header('When the message was sent.'), format: 'date-time' },
  [headerNames.claimCheck]: header('The key of the body in the claim check bucket.'),
  [headerNames.folded]: header('More of these headers, as a JSON object.'),
  [headerNames.traceParent]: header('W3C Trace Context.'),
};

/** The message attributes of SQS and SNS that sagabox sets on what it sends. */
export const headersSchema = {
  type: 'object',
  properties: headers,
  required: [headerNames.messageId, headerNames.messageType],
} as const;

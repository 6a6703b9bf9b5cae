import type { SagaIdentity } from '../../dynamodb/keys.ts';
import { headerNames } from '../../messages/headers.ts';
import type { MessageLogger } from '../../messages/logger.ts';
import type { IncomingMessage } from '../../messages/message.ts';
import { logFields } from './log-fields.ts';

export interface MessageFacts {
  endpoint: string;
  messageId: string;
  messageType: string;
  /** The id of the conversation: the same for all messages that follow from one first message. */
  conversationId: string;
  sagaName?: string;
  sagaId?: string;
}

export function messageFacts(endpoint: string, message: IncomingMessage, saga?: SagaIdentity): MessageFacts {
  return {
    endpoint,
    messageId: message.id,
    messageType: message.type,
    conversationId: message.headers[headerNames.conversationId] ?? message.id,
    ...(saga && { sagaName: saga.name, sagaId: saga.id }),
  };
}

/** Adds the facts of the message to each line: the messages of a batch run side by side. */
export function messageLogger(logger: MessageLogger, facts: MessageFacts): MessageLogger {
  return {
    debug: (message, more) => logger.debug?.(message, logFields(facts, more)),
    info: (message, more) => logger.info(message, logFields(facts, more)),
    warn: (message, more) => logger.warn(message, logFields(facts, more)),
    error: (message, more) => logger.error(message, logFields(facts, more)),
  };
}

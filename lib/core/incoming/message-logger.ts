import type { MessageLogger } from '../handlers/handler-context.ts';
import type { SagaIdentity } from '../storage/keys.ts';
import { headerNames } from './headers.ts';
import type { IncomingMessage } from './message.ts';

export interface MessageFacts {
  endpoint: string;
  messageId: string;
  messageType: string;
  /** The same for all messages that follow from one first message. */
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

/** Adds what tells the message to each line: the messages of a batch run side by side. */
export function messageLogger(logger: MessageLogger, facts: MessageFacts): MessageLogger {
  return new LoggerWithFacts(logger, facts);
}

/** Its functions need no `this`. They are made when they are asked for: few messages log anything. */
class LoggerWithFacts implements MessageLogger {
  readonly #logger: MessageLogger;
  readonly #facts: MessageFacts;

  constructor(logger: MessageLogger, facts: MessageFacts) {
    this.#logger = logger;
    this.#facts = facts;
  }

  get debug(): MessageLogger['info'] {
    return (message, more) => this.#logger.debug?.(message, { ...this.#facts, ...more });
  }

  get info(): MessageLogger['info'] {
    return (message, more) => this.#logger.info(message, { ...this.#facts, ...more });
  }

  get warn(): MessageLogger['warn'] {
    return (message, more) => this.#logger.warn(message, { ...this.#facts, ...more });
  }

  get error(): MessageLogger['error'] {
    return (message, more) => this.#logger.error(message, { ...this.#facts, ...more });
  }
}

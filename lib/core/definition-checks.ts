import { SagaboxError } from './errors.ts';
import type { IncomingMessage } from './message.ts';
import type { MessageSchemas } from './schema.ts';

/** Refuses a definition in which a message type lacks its function; the types refuse it before, in TypeScript. */
export function assertFunctionPerType(
  definition: string,
  messages: MessageSchemas,
  property: string,
  functions: Readonly<Record<string, unknown>>,
): void {
  const types = Object.keys(messages);
  if (types.length === 0) {
    throw new SagaboxError('Configuration', {
      setting: `${definition}: messages`,
      problem: 'no message type is given',
      remedy: 'Add a schema for each message type that it handles',
    });
  }
  const missing = types.filter((type) => !hasFunction(functions, type));
  const unknown = Object.keys(functions ?? {}).filter((type) => !Object.hasOwn(messages, type));
  if (missing.length === 0 && unknown.length === 0) return;
  throw new SagaboxError('Configuration', {
    setting: `${definition}: ${property}`,
    problem: [
      missing.length > 0 ? `it has no function for ${missing.join(', ')}` : '',
      unknown.length > 0 ? `${unknown.join(', ')} is not in 'messages'` : '',
    ]
      .filter(Boolean)
      .join(', and '),
    remedy: "Give one function for each type in 'messages'",
  });
}

/** Its own: an object inherits a 'toString', which handles nothing. */
function hasFunction(functions: Readonly<Record<string, unknown>> | undefined, type: string): boolean {
  return functions !== undefined && Object.hasOwn(functions, type) && typeof functions[type] === 'function';
}

type LooseHandler = (message: unknown, context: unknown) => unknown;

/** @throws SagaboxError `UnknownMessageType` for a message that would pass without anything being done. */
export function handlerOf(
  handlers: Readonly<Record<string, LooseHandler>>,
  { id, type }: IncomingMessage,
): LooseHandler {
  const handler = Object.hasOwn(handlers, type) ? handlers[type] : undefined;
  if (handler !== undefined) return handler;
  throw new SagaboxError('UnknownMessageType', {
    messageId: id,
    messageType: type,
    knownTypes: Object.keys(handlers),
  });
}

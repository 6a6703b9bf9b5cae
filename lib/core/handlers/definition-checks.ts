import type { StandardSchemaV1 } from '@standard-schema/spec';
import { SagaboxError } from '../failures/errors.ts';
import type { IncomingMessage } from '../incoming/message.ts';
import type { MessageSchemas } from './schema.ts';

/** Refuses what is no Standard Schema when a handler is defined, and not with the first message. */
export function assertMessages(definition: string, messages: MessageSchemas): void {
  const setting = `${definition}: messages`;
  const types = Object.keys(messages ?? {});
  if (types.length === 0) {
    throw new SagaboxError('Configuration', {
      setting,
      problem: 'no message type is given',
      remedy: 'Add a schema for each message type that it handles',
    });
  }
  const odd = types.filter((type) => !isStandardSchema(messages[type]));
  if (odd.length === 0) return;
  throw new SagaboxError('Configuration', {
    setting,
    problem: `what is given for ${odd.join(', ')} is no Standard Schema`,
    remedy: 'Give a schema of zod, valibot, arktype or another library that implements Standard Schema',
  });
}

/** Those of arktype are functions. */
function isStandardSchema(schema: unknown): boolean {
  const { '~standard': standard } = Object(schema) as Partial<StandardSchemaV1>;
  return typeof Object(standard).validate === 'function';
}

/**
 * Refuses a definition in which a message type lacks its function; the types refuse it before, in TypeScript.
 */
export function assertFunctionPerType(
  definition: string,
  messages: MessageSchemas,
  property: string,
  functions: Readonly<Record<string, unknown>>,
): void {
  const types = Object.keys(messages);
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
  return Object.hasOwn(functions ?? {}, type) && typeof functions?.[type] === 'function';
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

import middy from '@middy/core';
import type { SenderContracts } from '../core/contracts/contract.ts';
import { configurationError, SagaboxError } from '../core/failures/errors.ts';
import type { HandlerContext } from '../core/handlers/handler-context.ts';
import type { MessageSchemas } from '../core/handlers/schema.ts';
import type { IncomingMessage } from '../core/incoming/message.ts';
import type { SagaRules } from '../core/saga/define-saga.ts';
import type { MessageHandler } from './batch-handler.ts';
import type { OutboxMiddleware } from './outbox-middleware.ts';

/** What `createHandler` makes a Lambda handler of: the result of `defineSaga` or `defineHandlers`. */
export type Definition = (SagaRules | { readonly kind: 'handlers'; readonly messages: MessageSchemas }) & {
  readonly contracts?: SenderContracts;
  readonly handler: MessageHandler;
};

/** A definition's handler takes its own messages only; which those are is looked up by type, at run time. */
export type LooseHandler = (message: IncomingMessage, context: HandlerContext) => Promise<unknown>;

export interface RoutedMessages {
  readonly handler: LooseHandler;
  readonly messageTypes: ReadonlySet<string>;
}

/**
 * Gives each message to the definition that takes its type, inside a middleware of its own.
 *
 * @param of what is made of the definitions, for errors
 * @param outboxOf the middleware of a saga, or of what has none
 * @param options of middy
 * @throws SagaboxError `Configuration` when two definitions take one message type, or one is none
 */
export function routeMessages(
  of: string,
  definitions: readonly Definition[],
  outboxOf: (saga: SagaRules | undefined) => OutboxMiddleware,
  options: { readonly timeoutEarlyInMillis?: number } = {},
): RoutedMessages {
  const byType = definitionsByType(of, definitions);
  const wrapped = (handle: LooseHandler, saga?: SagaRules): LooseHandler =>
    middy(handle, options).use(outboxOf(saga));
  const handlers = new Map(
    definitions.map((definition) => {
      const saga = definition.kind === 'saga' ? definition : undefined;
      return [definition, wrapped(definition.handler as LooseHandler, saga)];
    }),
  );
  // Behind a dedup check too: a message of a type that is gone by now may still wait for its dispatch.
  const refuse = wrapped(async ({ id: messageId, type: messageType }) => {
    throw new SagaboxError('UnknownMessageType', { messageId, messageType, knownTypes: [...byType.keys()] });
  });
  return {
    handler: async (message, context) => {
      const definition = byType.get(message.type);
      await ((definition && handlers.get(definition)) ?? refuse)(message, context);
    },
    messageTypes: new Set(byType.keys()),
  };
}

/** @throws SagaboxError `Configuration` when two definitions take one message type, or one is none */
export function definitionsByType(of: string, definitions: readonly Definition[]): Map<string, Definition> {
  const byType = new Map<string, Definition>();
  for (const definition of definitions) {
    if (!isDefinition(definition)) throw noDefinition(of);
    for (const type of Object.keys(definition.messages)) {
      const other = byType.get(type);
      if (other !== undefined) {
        const both = `${nameOf(other)} and ${nameOf(definition)}`;
        const problem = `two definitions take the message type '${type}': ${both}`;
        const remedy = 'Let one of them take it, or give each an endpoint of its own';
        throw configurationError(of, problem, remedy);
      }
      byType.set(type, definition);
    }
  }
  if (byType.size === 0) throw noDefinition(of);
  return byType;
}

function nameOf(definition: Definition): string {
  return definition.kind === 'saga' ? `the saga '${definition.name}'` : 'a handler set';
}

function isDefinition(value: unknown): value is Definition {
  const { kind, messages, handler } = (value ?? {}) as Partial<Definition>;
  return (kind === 'saga' || kind === 'handlers') && typeof handler === 'function' && Boolean(messages);
}

function noDefinition(of: string): SagaboxError<'Configuration'> {
  return configurationError(
    of,
    'it is given something else than definitions, or none',
    'Pass what defineSaga or defineHandlers returns',
  );
}

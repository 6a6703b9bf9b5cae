import { configurationError, SagaboxError } from '../../kernel/errors/errors.ts';
import type { SenderContracts } from '../../messages/contracts/contract.ts';
import type { MessageSchemas } from '../../messages/schema.ts';
import type { SagaRules } from '../../saga/definition/define-saga.ts';
import type { FlowSource } from '../flow-source.ts';
import type { AttemptHandler, MessageHandler } from './batch-handler.ts';
import { directHandler, type LooseHandler } from './direct-handler.ts';

/** The result of `defineSaga` or `defineHandlers`, of which `createHandler` makes a Lambda handler. */
export type Definition = (SagaRules | { readonly kind: 'handlers'; readonly messages: MessageSchemas }) & {
  readonly contracts?: SenderContracts;
  readonly handler: MessageHandler;
};

export interface RoutedMessages {
  readonly handler: AttemptHandler;
  readonly messageTypes: ReadonlySet<string>;
}

/**
 * Gives each message to the definition that takes its type, on a flow of its own.
 *
 * @param of the function that gets the definitions, for errors
 * @param flowOf returns the flow of a saga, or of handlers without one
 * @throws SagaboxError `Configuration` when two definitions take one message type, or one is invalid
 */
export function routeMessages(
  of: string,
  definitions: readonly Definition[],
  flowOf: (saga: SagaRules | undefined) => FlowSource,
): RoutedMessages {
  const byType = definitionsByType(of, definitions);
  const handlers = new Map(
    definitions.map((definition) => {
      const saga = definition.kind === 'saga' ? definition : undefined;
      return [definition, directHandler(definition.handler as LooseHandler, flowOf(saga))];
    }),
  );
  // After a dedup check, too: a message of a type that is gone by now may still wait for its dispatch.
  const refuse = directHandler(async ({ id: messageId, type: messageType }) => {
    throw new SagaboxError('UnknownMessageType', { messageId, messageType, knownTypes: [...byType.keys()] });
  }, flowOf(undefined));
  return {
    handler: (message, ...attempt) => {
      const definition = byType.get(message.type);
      return ((definition && handlers.get(definition)) ?? refuse)(message, ...attempt);
    },
    messageTypes: new Set(byType.keys()),
  };
}

/** @throws SagaboxError `Configuration` when two definitions take one message type, or one is invalid */
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

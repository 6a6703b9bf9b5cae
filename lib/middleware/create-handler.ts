import middy from '@middy/core';
import { configurationError, SagaboxError } from '../core/failures/errors.ts';
import type { HandlerContext } from '../core/handlers/handler-context.ts';
import type { MessageSchemas } from '../core/handlers/schema.ts';
import type { IncomingMessage } from '../core/incoming/message.ts';
import type { SagaRules } from '../core/saga/define-saga.ts';
import { assertOptions } from './assert-options.ts';
import type { MessageHandler, SqsBatchHandler } from './batch-handler.ts';
import type { SagaOutboxOptions, SqsBatchOptions } from './options.ts';
import { sagaOutbox } from './saga-outbox.ts';
import { sqsBatchOf } from './sqs-batch.ts';

/** What {@link createHandler} makes a Lambda handler of: the result of `defineSaga` or `defineHandlers`. */
export type Definition = (SagaRules | { readonly kind: 'handlers'; readonly messages: MessageSchemas }) & {
  readonly handler: MessageHandler;
};

/** A definition's handler takes its own messages only; which those are is looked up by type, at run time. */
type LooseHandler = (message: IncomingMessage, context: HandlerContext) => Promise<unknown>;

export interface CreateHandlerOptions extends Omit<SagaOutboxOptions, 'saga'>, SqsBatchOptions {}

/**
 * The Lambda handler of one saga or handler set, or of several in one function:
 * `sqsBatch(middy(definition.handler).use(sagaOutbox(…)))`, with each message given to the one that takes its
 * type.
 *
 * @throws SagaboxError `Configuration` when two definitions take one message type, or settings are out of
 *   range
 * @example
 * ```ts
 * import { createHandler, defineHandlers } from 'sagabox';
 * import * as v from 'valibot';
 *
 * const billing = defineHandlers({
 *   messages: { ChargeCard: v.object({ orderId: v.string() }) },
 *   handlers: { ChargeCard: (message, { reply }) => reply('CardCharged', message.body) },
 * });
 *
 * export const handler = createHandler(billing, { endpoint: 'billing' });
 * ```
 */
export function createHandler(
  definitions: Definition | readonly Definition[],
  options: CreateHandlerOptions = {},
): SqsBatchHandler {
  const handlers = new Map<string, LooseHandler>();
  assertOptions('createHandler', options);
  for (const definition of [definitions].flat() as Definition[]) {
    if (!isDefinition(definition)) throw noDefinition();
    const saga = definition.kind === 'saga' ? { saga: definition } : {};
    const handler = middy(definition.handler as LooseHandler).use(sagaOutbox({ ...options, ...saga }));
    for (const type of Object.keys(definition.messages)) {
      if (handlers.has(type)) {
        const problem = `two definitions take the message type '${type}'`;
        const remedy = 'Let one of them take it, or give each an endpoint of its own';
        throw configurationError('createHandler', problem, remedy);
      }
      handlers.set(type, handler);
    }
  }
  if (handlers.size === 0) throw noDefinition();
  // Behind a dedup check too: a message of a type that is gone by now may still wait for its dispatch.
  const refuse = middy(async ({ id: messageId, type: messageType }: IncomingMessage) => {
    throw new SagaboxError('UnknownMessageType', {
      messageId,
      messageType,
      knownTypes: [...handlers.keys()],
    });
  }).use(sagaOutbox(options));
  const routeMessage = async (message: IncomingMessage, context: HandlerContext) => {
    await (handlers.get(message.type) ?? (refuse as LooseHandler))(message, context);
  };
  return sqsBatchOf(routeMessage, options, new Set(handlers.keys()));
}

function isDefinition(value: unknown): value is Definition {
  const { kind, messages, handler } = (value ?? {}) as Partial<Definition>;
  return (kind === 'saga' || kind === 'handlers') && typeof handler === 'function' && Boolean(messages);
}

function noDefinition(): SagaboxError<'Configuration'> {
  return configurationError(
    'createHandler',
    'it is given something else than definitions, or none',
    'Pass what defineSaga or defineHandlers returns',
  );
}

import type { IncomingMessage } from '../incoming/message.ts';
import { assertFunctionPerType, assertMessages, assertSettings } from './definition-checks.ts';
import type { HandlerContext } from './handler-context.ts';
import { whileRunning } from './running-handlers.ts';
import { type BodyOf, forTypeOf, type MessageOf, type MessageSchemas, validateMessage } from './schema.ts';

export interface HandlersDefinition<Schemas extends MessageSchemas> {
  /** A Standard Schema for each message type. */
  messages: Schemas;
  handlers: {
    [Type in keyof Schemas & string]: (
      message: IncomingMessage<Type, BodyOf<Schemas[Type]>>,
      context: HandlerContext,
    ) => void | Promise<void>;
  };
}

const settings = { messages: true, handlers: true } satisfies Record<
  keyof HandlersDefinition<MessageSchemas>,
  true
>;

/** Handlers of several message types, made by {@link defineHandlers}. */
export interface MessageHandlers<Schemas extends MessageSchemas> {
  readonly kind: 'handlers';
  readonly messages: Schemas;
  /** Validates one message, and calls the handler of its type. */
  readonly handler: (message: MessageOf<Schemas>, context: HandlerContext) => Promise<void>;
}

/**
 * Message handlers that keep no saga.
 *
 * @throws SagaboxError `Configuration` when a message type has no handler, or no Standard Schema, or for a
 *   setting that does not exist. The handler it returns throws `UnknownMessageType` and `InvalidMessage`.
 * @example
 * ```ts
 * import { createHandler, defineHandlers } from 'sagabox';
 * import * as v from 'valibot';
 *
 * export const billing = defineHandlers({
 *   messages: { ChargeCard: v.object({ orderId: v.string() }) },
 *   handlers: {
 *     ChargeCard(message, { reply }) {
 *       reply('CardCharged', { orderId: message.body.orderId });
 *     },
 *   },
 * });
 *
 * export const handler = createHandler(billing);
 * ```
 */
export function defineHandlers<const Schemas extends MessageSchemas>(
  definition: HandlersDefinition<Schemas>,
): MessageHandlers<Schemas> {
  const { messages } = Object(definition) as HandlersDefinition<Schemas>;
  assertMessages('defineHandlers', messages);
  assertSettings('defineHandlers', definition, settings);
  assertFunctionPerType('defineHandlers', messages, 'handlers', definition.handlers);
  const handlers = definition.handlers as Record<string, (message: unknown, context: unknown) => unknown>;
  return {
    kind: 'handlers',
    messages,
    handler: (message, context) =>
      whileRunning(context, async () => {
        const valid = await validateMessage(message, messages);
        await forTypeOf(valid, handlers)(valid, context);
      }),
  };
}

import type { Check } from '../kernel/checks/checks.ts';
import type { Contract, SenderContracts } from '../messages/contracts/contract.ts';
import {
  checksOf,
  giveChecks,
  type ListedByHandlers,
  type ListedContracts,
  listedBy,
  listSettings,
} from '../messages/contracts/listed-contracts.ts';
import { assertDefinition, functionPerType, someMessages } from '../messages/definition-checks.ts';
import type { IncomingMessage } from '../messages/message.ts';
import {
  type BodyOf,
  forTypeOf,
  type MessageOf,
  type MessageSchemas,
  validateMessage,
} from '../messages/schema.ts';
import type { DefinedHandlerContext, HandlerContext } from './handler-context.ts';
import { whileRunning } from './running-handlers.ts';

export interface HandlersDefinition<
  Schemas extends MessageSchemas,
  Sends extends readonly Contract[],
  Publishes extends readonly Contract[],
  Replies extends readonly Contract[],
> extends ListedContracts<Sends, Publishes, Replies> {
  /** A Standard Schema for each message type. */
  messages: Schemas;
  handlers: {
    [Type in keyof Schemas & string]: (
      message: IncomingMessage<Type, BodyOf<Schemas[Type]>>,
      context: DefinedHandlerContext<ListedByHandlers<Schemas, Sends, Publishes, Replies>>,
    ) => void | Promise<void>;
  };
}

function checksOfHandlers(messages: MessageSchemas) {
  return {
    messages: someMessages,
    handlers: functionPerType(messages),
    ...listSettings,
  } satisfies Record<keyof HandlersDefinition<MessageSchemas, [], [], []>, Check>;
}

/** Handlers of several message types, made by {@link defineHandlers}. */
export interface MessageHandlers<
  Schemas extends MessageSchemas,
  Listed extends SenderContracts = SenderContracts,
> {
  readonly kind: 'handlers';
  readonly messages: Schemas;
  /** What it may send. */
  readonly contracts: Listed;
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
export function defineHandlers<
  const Schemas extends MessageSchemas,
  const Sends extends readonly Contract[] = readonly Contract[],
  const Publishes extends readonly Contract[] = readonly Contract[],
  const Replies extends readonly Contract[] = readonly Contract[],
>(
  definition: HandlersDefinition<Schemas, Sends, Publishes, Replies>,
): MessageHandlers<Schemas, ListedByHandlers<Schemas, Sends, Publishes, Replies>> {
  const { messages } = Object(definition) as typeof definition;
  assertDefinition('defineHandlers', definition, checksOfHandlers(messages));
  const contracts = listedBy(definition);
  const checks = checksOf('defineHandlers', contracts);
  const handlers = definition.handlers as Record<string, (message: unknown, context: unknown) => unknown>;
  return {
    kind: 'handlers',
    messages,
    contracts: contracts as ListedByHandlers<Schemas, Sends, Publishes, Replies>,
    handler: (message, context) =>
      whileRunning(context, async () => {
        const valid = await validateMessage(message, messages);
        giveChecks(context, checks);
        await forTypeOf(valid, handlers)(valid, context);
      }),
  };
}

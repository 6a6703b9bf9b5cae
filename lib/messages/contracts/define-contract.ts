import { assertKeyName } from '../../dynamodb/keys.ts';
import { assertCheck, type Check } from '../../kernel/checks/checks.ts';
import { assertDefinition, optional, schemas, someMessages } from '../definition-checks.ts';
import type { MessageSchemas } from '../schema.ts';
import { type Contract, makeChecks } from './contract.ts';
import { contractChecks } from './contract-checks.ts';

export interface ContractOptions<Replies extends MessageSchemas> {
  /**
   * A Standard Schema for each message type that the receiver replies with. The senders handle them.
   *
   * @default - none
   */
  replies?: Replies;
}

const checks = { replies: optional(schemas) } satisfies Record<keyof ContractOptions<MessageSchemas>, Check>;

/**
 * The messages of an endpoint, a topic or an event bus, for both of its sides. The receiver's `messages` come
 * from it, and a sender lists it in `sends` or `publishes`.
 *
 * Senders give what a schema takes, receivers get what it returns: the body is sent as it was given.
 *
 * @param name of the endpoint, topic or event bus, as `send` has it
 * @param messages a Standard Schema for each message type
 * @throws SagaboxError `Configuration` for a name that no endpoint can have, when a message type lacks a
 *   Standard Schema, or for a setting that does not exist
 * @example
 * ```ts
 * import { defineContract, defineHandlers } from 'sagabox';
 * import * as v from 'valibot';
 *
 * const order = v.object({ orderId: v.string() });
 *
 * export const shipping = defineContract('shipping', { ShipOrder: order });
 * export const billing = defineContract(
 *   'billing',
 *   { ChargeCard: v.object({ orderId: v.string(), total: v.number() }) },
 *   { replies: { CardCharged: order } },
 * );
 *
 * export const billingHandlers = defineHandlers({
 *   messages: billing.messages,
 *   replies: [billing],
 *   sends: [shipping],
 *   handlers: {
 *     ChargeCard({ body: { orderId } }, { send, reply }) {
 *       send('shipping', 'ShipOrder', { orderId });
 *       reply('CardCharged', { orderId });
 *     },
 *   },
 * });
 * ```
 */
export function defineContract<
  const Name extends string,
  const Messages extends MessageSchemas,
  const Replies extends MessageSchemas = Readonly<Record<never, never>>,
>(name: Name, messages: Messages, options?: ContractOptions<Replies>): Contract<Name, Messages, Replies> {
  assertKeyName('defineContract: name', name);
  const contract = `defineContract '${name}'`;
  assertCheck(someMessages, messages, `${contract}: messages`);
  if (options !== undefined) assertDefinition(contract, options, checks);
  const { replies } = Object(options) as ContractOptions<Replies>;
  return {
    kind: 'contract',
    name,
    messages: { ...messages },
    replies: { ...replies } as Replies,
    [makeChecks]: contractChecks,
  };
}

import type { OutgoingMessage } from '../message.ts';
import type { MessageSchemas } from '../schema.ts';

/** What two sides share of an endpoint, a topic or an event bus: made by `defineContract`. */
export interface Contract<
  Name extends string = string,
  Messages extends MessageSchemas = MessageSchemas,
  Replies extends MessageSchemas = MessageSchemas,
> {
  readonly kind: 'contract';
  /** The name under which its senders know the destination. */
  readonly name: Name;
  /** A Standard Schema for each message type that the destination takes. */
  readonly messages: Messages;
  /** The same for what its receiver replies. */
  readonly replies: Replies;
  /**
   * With the contract, so that a bundle without contracts has none of the code that checks them.
   *
   * @internal
   */
  readonly [makeChecks]: (of: string, listed: SenderContracts) => OutgoingChecks;
}

/**
 * What a sender may send. What is not listed is not checked: then names are strings, and bodies unknown. An
 * empty list takes no message.
 */
export interface SenderContracts {
  /** Of the destinations of `send` and `sendImmediately`. */
  readonly sends?: readonly Contract[];
  /** Of what `publish` publishes. */
  readonly publishes?: readonly Contract[];
  /** Whose replies `reply` sends. */
  readonly replies?: readonly Contract[];
  /** A schema for each message type of `requestTimeout` and `cancelTimeout`. */
  readonly timeouts?: MessageSchemas;
}

/** What checks messages against the contracts that their sender lists. */
export interface OutgoingChecks {
  /**
   * @param list that the message has to be in
   * @returns undefined once it is checked, or a promise if its schema is asynchronous
   * @throws SagaboxError `InvalidOutgoingMessage` when no contract has it, or its body does not fit its schema
   */
  check(
    list: keyof SenderContracts,
    message: Pick<OutgoingMessage, 'destination' | 'type' | 'body'>,
  ): Promise<void> | undefined;
}

/** Where a contract brings what makes the checks. For every copy of sagabox: a package of contracts may have one. */
export const makeChecks: unique symbol = Symbol.for('sagabox.makeChecks');

import type { MessageSchemas } from '../schema.ts';
import type { SenderContracts } from './contract.ts';

/** Who takes and sends messages of contracts, as `sagabox contracts` lists it: a definition, or a sender alone. */
export interface Participant {
  readonly messages: MessageSchemas;
  readonly contracts?: SenderContracts;
}

/** Where handlers, middlewares and producers say it. For every copy of sagabox: a bundle has one of its own. */
const participants: unique symbol = Symbol.for('sagabox.participants');

export function withParticipants<Value extends object>(value: Value, all: readonly Participant[]): Value {
  return Object.assign(value, { [participants]: all });
}

export function senderOf({ sends, publishes, replies }: SenderContracts): Participant {
  const contracts = {
    ...(sends && { sends }),
    ...(publishes && { publishes }),
    ...(replies && { replies }),
  };
  return { messages: {}, contracts };
}

/** Of anything that a module exports. */
export function participantsOf(value: unknown): readonly Participant[] {
  return Object(value)[participants] ?? [];
}

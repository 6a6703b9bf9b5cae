import { SagaboxError } from '../../kernel/errors/errors.ts';

interface RefusedParts {
  /** The issues of the body, by its schema. */
  readonly issues?: readonly string[];
}

/** Throws the error of an outgoing message. */
export type Refuse = (detail: string, cause?: unknown) => never;

export function refuserOf(messageType: string, destination: string, more: RefusedParts = {}): Refuse {
  return (detail, cause) => {
    throw refusal(messageType, destination, detail, cause, more);
  };
}

export function refusal(
  messageType: string,
  destination: string,
  detail: string,
  cause?: unknown,
  more: RefusedParts = {},
): SagaboxError<'InvalidOutgoingMessage'> {
  const facts = { messageType: stringOrKind(messageType), destination: stringOrKind(destination), detail };
  return new SagaboxError('InvalidOutgoingMessage', { ...facts, ...more }, { cause });
}

export function stringOrKind(value: unknown): string {
  return typeof value === 'string' ? value : `a value of type ${typeof value}`;
}

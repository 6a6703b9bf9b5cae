import { SagaboxError } from '../../kernel/errors/errors.ts';
import { isRoundedInteger, roundedIntegerIn } from '../../kernel/values/rounded-integer.ts';
import type { IncomingMessage } from '../../messages/message.ts';

/**
 * Returns the id of the saga that a message belongs to.
 *
 * @param value the value that `correlate` returns
 * @param received the message before its schema
 * @throws SagaboxError `CorrelationMissing`, `CorrelationRounded`
 */
export function correlationValue(
  value: unknown,
  received: IncomingMessage,
  message: IncomingMessage,
  sagaName: string,
): string {
  const facts = { messageId: message.id, messageType: message.type, sagaName };
  const id = typeof value === 'number' && Number.isFinite(value) ? String(value) : value;
  // An ill-formed id would be stored with replacement characters, and could meet another saga's key.
  if (typeof id !== 'string' || id === '' || !id.isWellFormed())
    throw new SagaboxError('CorrelationMissing', facts);
  // Messages whose numbers differ in what JavaScript rounds would meet one saga.
  const returned = isRoundedInteger(value) ? { path: "what 'correlate' returns", written: id } : undefined;
  const rounded = roundedIntegerIn(id, received.body, message.body) ?? returned;
  if (rounded) throw new SagaboxError('CorrelationRounded', { ...facts, ...rounded });
  return id;
}

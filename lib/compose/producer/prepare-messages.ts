import { randomUUID } from 'node:crypto';
import { settleAll } from '../../kernel/async/settle.ts';
import { isSagaboxError, SagaboxError } from '../../kernel/errors/errors.ts';
import { isJsonObject } from '../../kernel/values/value-kind.ts';
import type { OutgoingChecks } from '../../messages/contracts/contract.ts';
import { refuserOf } from '../../messages/contracts/refusal.ts';
import type { Destination } from '../../messages/destinations/destination.ts';
import { headerNames } from '../../messages/headers.ts';
import type { OutgoingMessage } from '../../messages/message.ts';
import { outgoingMessageId } from '../../messages/message-id.ts';
import { composeMessage } from '../../sending/compose-message.ts';
import { systemClock } from '../system-clock.ts';
import type { ProducerMessage } from './producer-options.ts';
import type { ProducerSettings } from './producer-settings.ts';

/** No endpoint can have this name, so no message of a handler has the id of a producer's message. */
const PRODUCER = '#producer';

interface Preparation extends Pick<ProducerSettings, 'endpoint' | 'sending'> {
  readonly checks: OutgoingChecks | undefined;
  /** The trace headers of messages that are given none. */
  readonly traceHeaders: Readonly<Record<string, string>>;
  /** Whether an error tells the place of its message. */
  readonly isBatch: boolean;
}

/**
 * Prepares messages to be sent, and checks them by their contract.
 *
 * @throws SagaboxError `InvalidOutgoingMessage` for the first one that could not be sent
 */
export async function prepareMessages(
  messages: readonly ProducerMessage[],
  destination: Destination,
  preparation: Preparation,
): Promise<OutgoingMessage[]> {
  if (!Array.isArray(messages)) refuserOf('', destination.name)('sendBatch takes an array of messages');
  const now = systemClock.now();
  const seen = new Map<string, number>();
  const prepare = async (message: ProducerMessage, index: number): Promise<OutgoingMessage> => {
    try {
      const prepared = compose(message, destination, preparation, now);
      const first = seen.get(prepared.id);
      if (first !== undefined)
        refuserOf(
          prepared.type,
          destination.name,
        )(`it has the key and type of entry ${first}, and so its id`);
      seen.set(prepared.id, index);
      if (preparation.sending.validateOutgoing) await preparation.checks?.check('sends', prepared);
      return prepared;
    } catch (error) {
      throw preparation.isBatch ? withIndex(error, index) : error;
    }
  };
  return await settleAll(messages.map(prepare));
}

function compose(
  message: ProducerMessage,
  destination: Destination,
  { endpoint, sending, traceHeaders }: Preparation,
  now: Date,
): OutgoingMessage {
  if (!isJsonObject(message)) refuserOf('', destination.name)('it is no object with a type and a body');
  const { type, body, key, ...options } = message;
  const refuse = refuserOf(type, destination.name);
  if (typeof type !== 'string') refuse('its type has to be a string');
  if (key !== undefined && (typeof key !== 'string' || key === ''))
    refuse("its 'key' is no string, or empty");
  const headersWith = (given: Readonly<Record<string, string>>) => ({
    ...(headerNames.traceParent in given ? {} : traceHeaders),
    ...given,
    ...(endpoint !== undefined && { [headerNames.replyTo]: endpoint }),
    [headerNames.sentAt]: now.toISOString(),
  });
  const id = key === undefined ? randomUUID() : outgoingMessageId(key, PRODUCER, type);
  return composeMessage({ id, type, body, options, headersWith }, destination, sending, now, refuse);
}

function withIndex(error: unknown, index: number): unknown {
  if (!isSagaboxError(error) || error.code !== 'InvalidOutgoingMessage') return error;
  const { facts } = error as SagaboxError<'InvalidOutgoingMessage'>;
  return new SagaboxError('InvalidOutgoingMessage', { ...facts, index }, { cause: error });
}

import { isSagaboxError, SagaboxError } from '../../kernel/errors/errors.ts';
import type { Destination } from '../../messages/destinations/destination.ts';
import type { OutgoingMessage } from '../../messages/message.ts';
import type { SendRefusal } from '../../sending/dispatch-options.ts';
import type { Transport } from '../../sending/dispatcher.ts';

type DispatchError = SagaboxError<'DispatchFailed' | 'DispatchRefused'>;

/** @throws SagaboxError `MessagesNotSent` or `MessagesRefused`, with each message that was not taken */
export async function sendPrepared(
  messages: readonly OutgoingMessage[],
  transport: Transport,
  destination: Destination,
): Promise<void> {
  const taken = new Set<string>();
  const refused = new Map<string, SendRefusal>();
  const onTaken = (ids: readonly string[]) => {
    for (const id of ids) taken.add(id);
  };
  const onRefused = (id: string, refusal: SendRefusal) => void refused.set(id, refusal);
  try {
    await transport.send(messages, destination, { onTaken, onRefused });
  } catch (error) {
    if (!isDispatchError(error)) throw error;
    const entries = untaken(messages, taken, refused, error);
    const facts = { destination: destination.name, sent: messages.length - entries.length, entries };
    const mayRetry = entries.some(({ retryable }) => retryable);
    throw new SagaboxError(mayRetry ? 'MessagesNotSent' : 'MessagesRefused', facts, { cause: error.cause });
  }
}

function untaken(
  messages: readonly OutgoingMessage[],
  taken: ReadonlySet<string>,
  refused: ReadonlyMap<string, SendRefusal>,
  error: DispatchError,
): SagaboxError<'MessagesNotSent'>['facts']['entries'] {
  const stopped = messages.filter(({ id }) => refused.has(id)).map(({ messageGroupId }) => messageGroupId);
  return messages.flatMap(({ id, messageGroupId }, index) => {
    if (taken.has(id)) return [];
    const isHeldUp = messageGroupId !== undefined && stopped.includes(messageGroupId);
    const { detail, isFinal } = refused.get(id) ?? (isHeldUp ? heldUp : ofWholeCall(error));
    return [{ index, id, reason: detail, retryable: !isFinal }];
  });
}

const heldUp: SendRefusal = { isFinal: false, detail: 'a message before it in its group was not taken' };

function ofWholeCall({ facts, retryable }: DispatchError): SendRefusal {
  return { isFinal: !retryable, detail: facts.failures.join('; ') };
}

function isDispatchError(error: unknown): error is DispatchError {
  return isSagaboxError(error) && (error.code === 'DispatchFailed' || error.code === 'DispatchRefused');
}

import { decodeFailure } from '../../../lib/messages/failures/failure-facts.ts';
import { attributeOf, sendTo, takeAll } from '../../support/received-records.ts';
import type { Clients } from '../engine/access.ts';

/** That no handler knows, so that it goes straight to the error queue of its endpoint. */
const unknownType = 'UnknownToAll';

export async function sendUnknown(
  { sqs }: Clients,
  queueUrls: readonly string[],
  id: string,
  times: number,
): Promise<void> {
  for (const QueueUrl of queueUrls) {
    const group = QueueUrl.endsWith('.fifo') ? { group: id } : {};
    for (let copy = 0; copy < times; copy += 1)
      await sendTo(sqs, QueueUrl, { type: unknownType, id, body: {}, ...group });
  }
}

export interface FailedMessages {
  /** Error queues that the message that nobody knows came to. */
  readonly errorQueues: number;
  /** Whatever else failed, each named. */
  readonly others: readonly string[];
}

/** What is in the error queues and the dead-letter queues. */
export async function failedMessages(
  { sqs }: Clients,
  queueUrls: readonly string[],
): Promise<FailedMessages> {
  const others: string[] = [];
  let errorQueues = 0;
  for (const queueUrl of queueUrls) {
    const messages = await takeAll(sqs, queueUrl);
    const unknown = messages.filter((message) => attributeOf(message, 'Sagabox.MessageType') === unknownType);
    if (unknown.length > 0) errorQueues += 1;
    for (const message of messages) {
      if (unknown.includes(message)) continue;
      const reason = decodeFailure(attributeOf(message, 'Sagabox.Failure'))?.code ?? 'no reason';
      others.push(
        `${attributeOf(message, 'Sagabox.MessageType')} in ${queueUrl.split('/').at(-1)} (${reason}): ${message.Body?.slice(0, 200)}`,
      );
    }
  }
  return { errorQueues, others };
}

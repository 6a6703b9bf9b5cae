import { thrownMessage } from '../../kernel/errors/thrown.ts';
import { localIdentity } from '../app/identity.ts';

/** What a rule or a schedule was to send, and its queue did not take. */
export interface UndeliveredMessage {
  readonly queue: string;
  readonly reason: string;
}

/**
 * Sends a SendMessage request in the JSON of the wire: binary values are base64 strings. Never rejects: who
 * sends by a rule or a schedule is not there any more to hear of it.
 *
 * @param queue a URL or an ARN: only the name at its end counts, as a URL may have the host of a proxy
 */
export type SendToQueue = (queue: string, request: object) => Promise<void>;

/** For queues of the emulator at the endpoint. */
export function queueSender(
  endpoint: string,
  onUndelivered: (undelivered: UndeliveredMessage) => void,
): SendToQueue {
  return async (queue, request) => {
    const QueueUrl = `${endpoint}/${localIdentity.accountId}/${queue.split(/[/:]/).at(-1)}`;
    try {
      const response = await fetch(endpoint, {
        method: 'POST',
        headers: { 'content-type': 'application/x-amz-json-1.0', 'x-amz-target': 'AmazonSQS.SendMessage' },
        body: JSON.stringify({ ...request, QueueUrl }),
      });
      const answer = await response.text();
      if (!response.ok) onUndelivered({ queue, reason: answer });
    } catch (error) {
      onUndelivered({ queue, reason: thrownMessage(error) });
    }
  };
}

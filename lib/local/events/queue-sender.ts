import { localIdentity } from '../app/identity.ts';

/** A SendMessage request in the JSON of the wire: binary values are base64 texts. */
export interface SendRequest {
  /** A URL or an ARN: only the name at its end counts. */
  readonly queue: string;
  readonly request: Readonly<Record<string, unknown>>;
}

/** What a rule or a schedule was to send, and its queue did not take. */
export interface UndeliveredMessage {
  readonly queue: string;
  readonly reason: string;
}

/** Sends to queues of the emulator, by name: a URL may have the host of a proxy. */
export class QueueSender {
  readonly #sqsEndpoint: string;
  readonly #onUndelivered: (undelivered: UndeliveredMessage) => void;

  constructor(sqsEndpoint: string, onUndelivered: (undelivered: UndeliveredMessage) => void) {
    this.#sqsEndpoint = sqsEndpoint;
    this.#onUndelivered = onUndelivered;
  }

  /** Never rejects: who sends by a rule or a schedule is not there any more to hear of it. */
  async send({ queue, request }: SendRequest): Promise<void> {
    const reason = await this.#refusal({ queue, request });
    if (reason !== undefined) this.#onUndelivered({ queue, reason });
  }

  async #refusal({ queue, request }: SendRequest): Promise<string | undefined> {
    const name = queue.split(/[/:]/).at(-1) ?? '';
    try {
      const response = await fetch(this.#sqsEndpoint, {
        method: 'POST',
        headers: { 'content-type': 'application/x-amz-json-1.0', 'x-amz-target': 'AmazonSQS.SendMessage' },
        body: JSON.stringify({
          ...request,
          QueueUrl: `${this.#sqsEndpoint}/${localIdentity.accountId}/${name}`,
        }),
      });
      const answer = await response.text();
      return response.ok ? undefined : answer;
    } catch (error) {
      return error instanceof Error ? error.message : String(error);
    }
  }
}

import { headerNames } from 'sagabox';
import { interceptCalls, type SdkClient } from '../intercepted-calls.ts';

export interface SentMessage {
  readonly id: string;
  readonly type: string;
  readonly body: Readonly<Record<string, unknown>>;
}

interface Entry {
  readonly MessageBody: string;
  readonly MessageAttributes?: Readonly<Record<string, { readonly StringValue?: string }>>;
  readonly DelaySeconds?: number;
}

/** What functions send to SQS, in the order in which SQS took it; a message that is sent again is there once. */
export class SentMessages {
  readonly #byId = new Map<string, SentMessage>();
  readonly #maxDelaySeconds: number;

  /** @param maxDelaySeconds of each message: timeouts come sooner than they were asked for */
  constructor(maxDelaySeconds: number) {
    this.#maxDelaySeconds = maxDelaySeconds;
  }

  watch(client: SdkClient): void {
    interceptCalls(client, 'call', async ({ operation, input, proceed }) => {
      if (operation !== 'SendMessageBatch') return await proceed();
      const entries: Entry[] = input.Entries;
      const Entries = entries.map((entry) => ({ ...entry, DelaySeconds: this.#sooner(entry) }));
      const output = await proceed({ ...input, Entries });
      for (const entry of entries) this.#add(entry);
      return output;
    });
  }

  all(): SentMessage[] {
    return [...this.#byId.values()];
  }

  /** What is to leave after a second leaves at once. */
  #sooner({ DelaySeconds = 0 }: Entry): number {
    return DelaySeconds <= 1 ? 0 : Math.min(this.#maxDelaySeconds, DelaySeconds);
  }

  #add({ MessageBody, MessageAttributes = {} }: Entry): void {
    const header = (name: string) => MessageAttributes[name]?.StringValue ?? '';
    const id = header(headerNames.messageId);
    if (this.#byId.has(id)) return;
    this.#byId.set(id, { id, type: header(headerNames.messageType), body: JSON.parse(MessageBody) });
  }
}

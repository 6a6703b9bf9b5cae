import type { OutgoingMessage } from '../../messages/message.ts';

/** What is put into a queue. */
export interface NewMessage {
  readonly messageId: string;
  readonly type: string;
  readonly body: string;
  /** Message attributes, all of type String. */
  readonly attributes: Readonly<Record<string, string>>;
  readonly messageGroupId?: string | undefined;
  /** As an endpoint of the app sent it; undefined for what came from outside, or over an event bus. */
  readonly sent?: OutgoingMessage | undefined;
}

export interface QueuedMessage extends NewMessage {
  readonly sqsMessageId: string;
  /** Among all messages of the app. */
  readonly order: number;
  readonly sentAt: Date;
  receiveCount: number;
  visibleAt: Date;
  /** An invocation has it. */
  isHeld: boolean;
}

/** SQS recognizes a copy of a message of a FIFO queue for so long. Source: "Exactly-once processing in Amazon SQS". */
const FIFO_DEDUPLICATION_MS = 5 * 60_000;

/** The queue of an endpoint, in memory. */
export class TestQueue {
  readonly name: string;
  readonly isFifo: boolean;
  /** Acknowledged or given up, in the order in which that was. */
  readonly done: QueuedMessage[] = [];
  readonly #takenAt = new Map<string, Date>();
  readonly #nextOrder: () => number;
  #messages: QueuedMessage[] = [];

  /** @param nextOrder another, higher number at each call */
  constructor(endpoint: string, isFifo: boolean, nextOrder: () => number) {
    this.#nextOrder = nextOrder;
    this.name = isFifo ? `${endpoint}.fifo` : endpoint;
    this.isFifo = isFifo;
  }

  get messages(): readonly QueuedMessage[] {
    return this.#messages;
  }

  put(message: NewMessage, now: Date, delaySeconds = 0): void {
    if (this.isFifo && this.#hasTaken(message.messageId, now)) return;
    this.putCopy(message, now, delaySeconds);
  }

  /** One that SQS does not take for a copy. */
  putCopy(message: NewMessage, now: Date, delaySeconds = 0): void {
    const order = this.#nextOrder();
    this.#messages.push({
      ...message,
      sqsMessageId: `${this.name}-${order}`,
      order,
      sentAt: now,
      receiveCount: 0,
      visibleAt: new Date(now.getTime() + delaySeconds * 1000),
      isHeld: false,
    });
  }

  /** In the order of their times; of a FIFO group those that no other one of it is ahead of. */
  visible(now: Date): QueuedMessage[] {
    const isVisible = (message: QueuedMessage) => !message.isHeld && message.visibleAt <= now;
    const blocked = new Set<string>();
    const visible = this.#messages.filter((message) => {
      const group = this.isFifo ? message.messageGroupId : undefined;
      if (isVisible(message) && !(group !== undefined && blocked.has(group))) return true;
      if (group !== undefined) blocked.add(group);
      return false;
    });
    return this.isFifo ? visible : visible.toSorted((one, other) => +one.visibleAt - +other.visibleAt);
  }

  /** Those that can be delivered first: one of each FIFO group. */
  first(now: Date): QueuedMessage[] {
    const visible = this.visible(now);
    if (!this.isFifo) return visible;
    const groups = new Set<string | undefined>();
    return visible.filter(({ messageGroupId: group }) => {
      const isFirst = group === undefined || !groups.has(group);
      groups.add(group);
      return isFirst;
    });
  }

  hold(message: QueuedMessage): void {
    message.isHeld = true;
    message.receiveCount += 1;
  }

  release(message: QueuedMessage, visibleAt: Date): void {
    message.isHeld = false;
    message.visibleAt = visibleAt;
  }

  remove(message: QueuedMessage): void {
    this.#messages = this.#messages.filter((other) => other !== message);
    this.done.push(message);
  }

  #hasTaken(messageId: string, now: Date): boolean {
    const takenAt = this.#takenAt.get(messageId);
    if (takenAt !== undefined && +now - +takenAt < FIFO_DEDUPLICATION_MS) return true;
    this.#takenAt.set(messageId, now);
    return false;
  }
}

import type { SQSRecord } from 'aws-lambda';
import { queueName } from './message-script.ts';

/** SQS makes a message visible again when nobody has acknowledged it for so long. */
export const VISIBILITY_TIMEOUT_MS = 60_000;
/** After so many deliveries a message goes to the dead letter queue. */
export const MAX_RECEIVE_COUNT = 5;

/** A message as its producer gave it to the queue. */
export interface Arrival {
  readonly endpoint: string;
  readonly messageId: string;
  readonly type: string;
  readonly body: string;
  /** Of a FIFO queue: its messages come one after another. */
  readonly group?: string | undefined;
  readonly headers: Readonly<Record<string, string>>;
}

interface QueuedMessage {
  readonly arrival: Arrival;
  readonly sqsId: string;
  readonly sentAtMs: number;
  visibleAtMs: number;
  receiveCount: number;
}

export interface Received {
  readonly arrival: Arrival;
  readonly record: SQSRecord;
  readonly receiveCount: number;
}

export class SimulatedQueue {
  /** Every copy that ever arrived, in the order of arrival. */
  readonly arrived: Arrival[] = [];
  readonly deadLetters: Arrival[] = [];
  #messages: QueuedMessage[] = [];

  put(arrival: Arrival, nowMs: number, delayMs = 0): void {
    this.arrived.push(arrival);
    this.#messages.push({
      arrival,
      sqsId: `sqs-${this.arrived.length}`,
      sentAtMs: nowMs,
      visibleAtMs: nowMs + delayMs,
      receiveCount: 0,
    });
  }

  get size(): number {
    return this.#messages.length;
  }

  get nextVisibleAtMs(): number | undefined {
    const times = this.#messages.map((message, index) => this.#visibleAtMs(message, index));
    return this.size === 0 ? undefined : Math.min(...times);
  }

  /** Up to so many of one endpoint's messages; which comes first is chosen. */
  receive(nowMs: number, choice: number, atMost: number): Received[] {
    for (const message of this.#visible(nowMs)) {
      if (message.receiveCount < MAX_RECEIVE_COUNT) continue;
      this.deadLetters.push(message.arrival);
      this.acknowledge(message.sqsId);
    }
    const visible = this.#visible(nowMs);
    const chosen = visible[choice % Math.max(1, visible.length)];
    if (chosen === undefined) return [];
    const first = visible.find((message) => isSameGroup(message, chosen)) ?? chosen;
    const others = visible.filter(
      (message) => message !== first && message.arrival.endpoint === first.arrival.endpoint,
    );
    return [first, ...others].slice(0, atMost).map((message) => {
      message.visibleAtMs = nowMs + VISIBILITY_TIMEOUT_MS;
      message.receiveCount += 1;
      return { arrival: message.arrival, record: recordOf(message), receiveCount: message.receiveCount };
    });
  }

  /** @returns the one that now can be received again, though nobody has let go of it */
  redeliver(choice: number, nowMs: number): Arrival | undefined {
    const hidden = this.#messages.filter(
      ({ receiveCount, visibleAtMs }) => receiveCount > 0 && visibleAtMs > nowMs,
    );
    const message = hidden[choice % Math.max(1, hidden.length)];
    if (message) message.visibleAtMs = nowMs;
    return message?.arrival;
  }

  /** Whether a message may leave the queue: it is not delivered again. */
  isLastDelivery({ messageId, endpoint }: Arrival): boolean {
    return this.#messages.some(
      ({ arrival, receiveCount }) =>
        arrival.messageId === messageId && arrival.endpoint === endpoint && receiveCount >= MAX_RECEIVE_COUNT,
    );
  }

  /** From here on messages of a type come before others. */
  prefer(type: string): void {
    this.#preferBy(({ arrival }) => arrival.type === type);
  }

  #preferBy(isWanted: (message: QueuedMessage) => boolean): void {
    // A group keeps its order.
    const isPreferred = (message: QueuedMessage) => message.arrival.group === undefined && isWanted(message);
    const isOther = (message: QueuedMessage) => !isPreferred(message);
    this.#messages = [...this.#messages.filter(isPreferred), ...this.#messages.filter(isOther)];
  }

  /** The same, of one message. */
  preferId(messageId: string): void {
    this.#preferBy(({ arrival }) => arrival.messageId === messageId);
  }

  /** Messages that no queue keeps for so long. */
  forget(isOver: (arrival: Arrival) => boolean): void {
    this.#messages = this.#messages.filter(({ arrival }) => !isOver(arrival));
  }

  acknowledge(sqsId: string): void {
    this.#messages = this.#messages.filter((message) => message.sqsId !== sqsId);
  }

  changeVisibility(sqsId: string, visibleAtMs: number): void {
    const message = this.#messages.find((queued) => queued.sqsId === sqsId);
    if (message) message.visibleAtMs = visibleAtMs;
  }

  #visible(nowMs: number): QueuedMessage[] {
    return this.#messages.filter((message, index) => this.#visibleAtMs(message, index) <= nowMs);
  }

  /** One of a group is not visible before those ahead of it. */
  #visibleAtMs(message: QueuedMessage, index: number): number {
    if (message.arrival.group === undefined) return message.visibleAtMs;
    const ahead = this.#messages.slice(0, index).filter((other) => isSameGroup(other, message));
    return Math.max(message.visibleAtMs, ...ahead.map(({ visibleAtMs }) => visibleAtMs));
  }
}

function isSameGroup({ arrival: one }: QueuedMessage, { arrival: other }: QueuedMessage): boolean {
  return one.group !== undefined && one.group === other.group;
}

function recordOf({ arrival, sqsId, sentAtMs, receiveCount }: QueuedMessage): SQSRecord {
  const { endpoint, body, headers, group } = arrival;
  const attributes = Object.entries(headers).map(([name, stringValue]) => [
    name,
    { stringValue, dataType: 'String' },
  ]);
  return {
    messageId: sqsId,
    receiptHandle: sqsId,
    body,
    attributes: {
      ApproximateReceiveCount: String(receiveCount),
      SentTimestamp: String(sentAtMs),
      SenderId: 'sender',
      ApproximateFirstReceiveTimestamp: String(sentAtMs),
      ...(group !== undefined && { MessageGroupId: group }),
    },
    messageAttributes: Object.fromEntries(attributes),
    md5OfBody: '',
    eventSource: 'aws:sqs',
    // Without a group it has waited elsewhere, as delayed messages do.
    eventSourceARN: `arn:aws:sqs:us-east-1:123456789012:${queueName(endpoint, group !== undefined)}`,
    awsRegion: 'us-east-1',
  };
}

import type { QueueDestination } from '../../messages/destinations/destination.ts';
import type { OutgoingMessage } from '../../messages/message.ts';
import type { Scheduler } from '../../sending/schedules/scheduler.ts';

/** A message that waits. */
export interface ScheduledMessage {
  readonly message: OutgoingMessage;
  readonly destination: QueueDestination;
  readonly dueAt: Date;
}

/** Keeps messages in memory until they are asked for. */
export class MemoryScheduler implements Scheduler {
  readonly #waiting = new Map<string, ScheduledMessage>();

  async schedule(message: OutgoingMessage, destination: QueueDestination): Promise<void> {
    if (this.#waiting.has(message.id)) return;
    const dueAt = new Date(message.dueAt ?? 0);
    this.#waiting.set(message.id, { message: structuredClone(message), destination, dueAt });
  }

  async cancel(messageId: string): Promise<void> {
    this.#waiting.delete(messageId);
  }

  /** The waiting messages, the next one first. */
  get waiting(): readonly ScheduledMessage[] {
    return [...this.#waiting.values()].sort((one, other) => one.dueAt.getTime() - other.dueAt.getTime());
  }

  /** Takes the messages that are due by now, in the order of their times. */
  due(now: Date): readonly ScheduledMessage[] {
    const due = this.waiting.filter(({ dueAt }) => dueAt <= now);
    for (const { message } of due) this.#waiting.delete(message.id);
    return due;
  }
}

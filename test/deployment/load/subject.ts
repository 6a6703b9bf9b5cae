import type { ExpectedOrder } from '../far-ends/expected-effects.ts';
import type { Effects } from '../far-ends/judge-orders.ts';

export interface Subject {
  readonly name: string;
  /** The orders placed so far, with what they have to cause. */
  readonly orders: readonly ExpectedOrder[];
  readonly outboxTableNames: readonly string[];
  /** Queues that messages pass through; those of the far ends are not among them. */
  workingQueueUrls(): Promise<string[]>;
  /** Delayed messages that are not waited for, as they are due in a quarter of an hour. */
  readonly ignoresDelayed: boolean;
  /** Schedules that are there and should not be, or should be and are not, in words. */
  scheduleComplaints(): Promise<string[]>;
  effects(): Promise<Effects>;
}

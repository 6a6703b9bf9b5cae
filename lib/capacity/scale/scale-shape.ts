import type { Duration } from '../../kernel/duration.ts';

/** What the limits of the services depend on, besides what the messages take. */
export interface ScaleShape {
  /**
   * Messages of the saga that gets most of them, at its busiest time: an item has one partition, whatever its
   * table takes.
   *
   * @default - no saga is busier than the others
   */
  readonly busiestSagaMessagesPerSecond?: number;
  /**
   * Average duration of an invocation, from its start to its answer.
   *
   * @default { milliseconds: 100 }
   */
  readonly invocationDuration?: Duration;
  /**
   * The queue of the endpoint. `highThroughputFifo` is a FIFO queue whose throughput limit is per message group.
   *
   * @default 'standard'
   */
  readonly queue?: 'standard' | 'fifo' | 'highThroughputFifo';
  /**
   * Of the `outgoing` messages of one message, those that are published to a topic. It may be an average.
   *
   * @default 0
   */
  readonly topicMessages?: number;
  /**
   * Of the `outgoing` messages, those that go to an event bus. It may be an average.
   *
   * @default 0
   */
  readonly busEvents?: number;
  /**
   * Of the `outgoing` messages, those that wait in the Scheduler, such as timeouts over 15 minutes. It may be an
   * average.
   *
   * @default 0
   */
  readonly schedules?: number;
  /**
   * Average delay of a schedule.
   *
   * @default { hours: 1 }
   */
  readonly scheduleDelay?: Duration;
}

export type WholeScale = Required<ScaleShape>;

export const scaleDefaults = {
  busiestSagaMessagesPerSecond: 0,
  invocationDuration: { milliseconds: 100 },
  queue: 'standard',
  topicMessages: 0,
  busEvents: 0,
  schedules: 0,
  scheduleDelay: { hours: 1 },
} as const satisfies WholeScale;

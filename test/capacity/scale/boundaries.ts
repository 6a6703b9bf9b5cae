import type { MessageShape, ScaleShape, Workload } from 'sagabox/capacity';

const KILOBYTE = 1024;

/** Takes 2 WCU and 1 RCU of a saga, and as much of the outbox. */
export const saga: MessageShape = { sagaBytes: 1_000 };
export const sending: MessageShape = { ...saga, outgoing: 1 };
export const event: MessageShape = { outgoing: 1 };

/** The workload at a rate, and the rate at which it reaches the limit exactly. */
type Boundary = readonly [
  name: string,
  of: string,
  limit: number,
  boundary: number,
  workload: (rate: number) => Workload,
];

export const rateOf =
  (message: MessageShape, others: Partial<Workload> = {}) =>
  (messagesPerSecond: number): Workload => ({ message, messagesPerSecond, ...others });
export const scaled = (message: MessageShape, scale: ScaleShape, others: Partial<Workload> = {}) =>
  rateOf(message, { ...others, scale });
export const busiest = (message: MessageShape, scale: ScaleShape = {}) => {
  return (busiestSagaMessagesPerSecond: number): Workload => ({
    message,
    messagesPerSecond: 100_000,
    scale: { ...scale, busiestSagaMessagesPerSecond },
  });
};
const second = { invocationDuration: { seconds: 1 } };
const short = { invocationDuration: { milliseconds: 20 } };
/** Its inbox is full, so that each message has a record too. */
export const embedded: MessageShape = { ...sending, layout: 'embedded' };
export const allOfOneSaga = (message: MessageShape) => (messagesPerSecond: number) => ({
  message,
  messagesPerSecond,
  scale: { busiestSagaMessagesPerSecond: messagesPerSecond },
});

export const boundaries: readonly Boundary[] = [
  ['sagaWrites', 'one saga', 1_000, 500, busiest(saga)],
  ['sagaWrites', 'one saga', 1_000, 250, busiest({ sagaBytes: 2 * KILOBYTE })],
  ['sagaWrites', 'one saga', 1_000, 100, busiest(embedded)],
  // The lease is 64 bytes, which takes the item over a unit, and a write of its own.
  ['sagaWrites', 'one saga', 1_000, 1_000 / 3, busiest({ sagaBytes: 900, locking: 'pessimistic' })],
  ['sagaWrites', 'one saga', 1_000, 500, busiest({ ...saga, appended: 1 })],
  ['sagaWrites', 'one saga', 1_000, 125, busiest({ ...saga, appended: 2, contributionBytes: 2 * KILOBYTE })],
  ['sagaReads', 'one saga', 3_000, 3_000, busiest(saga)],
  ['sagaReads', 'one saga', 3_000, 6_000, busiest({ ...saga, locking: 'eventual' })],
  ['sagaTurns', 'one saga', 1, 10, busiest(saga)],
  ['sagaTurns', 'one saga', 1, 1, busiest(saga, second)],
  ['newTableWrites', 'saga table', 4_000, 2_000, rateOf(saga)],
  // What is sent is marked, which is one more.
  ['newTableWrites', 'outbox table', 4_000, 4_000 / 3, rateOf(sending)],
  ['newTableWrites', 'shared table', 4_000, 1_000, rateOf(saga, { sharedTable: true })],
  ['newTableReads', 'saga table', 12_000, 12_000, rateOf(saga)],
  ['tableWrites', 'saga table', 40_000, 20_000, rateOf(saga)],
  // At a utilisation of 70 % the table is given more than it takes.
  ['provisionedWrites', 'saga table', 40_000, 14_000, rateOf(saga)],
  ['provisionedReads', 'outbox table', 40_000, 28_000, rateOf(saga)],
  ['tableReads', 'outbox table', 40_000, 40_000, rateOf(saga)],
  // 2 WCU of each table, at a utilisation of half.
  ['accountWrites', 'account', 80_000, 10_000, rateOf(saga, { targetUtilizationPercent: 50 })],
  ['accountReads', 'account', 80_000, 20_000, rateOf(saga, { targetUtilizationPercent: 50 })],
  ['accountConcurrency', 'functions', 1_000, 10_000, rateOf(event)],
  ['accountConcurrency', 'functions', 1_000, 100_000, rateOf(event, { batchSize: 10 })],
  // Ten requests a second for each, however short.
  ['accountConcurrency', 'functions', 1_000, 10_000, scaled(event, short)],
  ['eventSourceConcurrency', 'event source', 1_250, 12_500, rateOf(event)],
  ['eventSourceConcurrency', 'event source', 1_250, 62_500, scaled(event, short)],
  ['eventSourceGrowth', 'event source', 305, 3_050, rateOf(event)],
  ['functionGrowth', 'function', 1_000, 1_000, scaled(event, second)],
  ['queueInFlight', 'queue', 120_000, 120_000, scaled(event, second)],
  ['fifoInFlight', 'queue', 120_000, 120_000, scaled(event, { ...second, queue: 'fifo' })],
  ['fifoInFlight', 'queue', 120_000, 120_000, scaled(event, { ...second, queue: 'highThroughputFifo' })],
  ['fifoCalls', 'FIFO queue', 300, 300, scaled(event, { queue: 'fifo' })],
  ['fifoCalls', 'FIFO queue', 300, 3_000, scaled(event, { queue: 'fifo' }, { batchSize: 10 })],
  ['highThroughputFifoCalls', 'FIFO queue', 70_000, 70_000, scaled(event, { queue: 'highThroughputFifo' })],
  [
    'highThroughputFifoCalls',
    'FIFO queue',
    2_400,
    24_000,
    scaled(event, { queue: 'highThroughputFifo' }, { batchSize: 10, region: 'eu-north-1' }),
  ],
  [
    'highThroughputFifoCalls',
    'FIFO queue',
    19_000,
    19_000,
    scaled(event, { queue: 'highThroughputFifo' }, { region: 'eu-central-1' }),
  ],
  [
    'highThroughputFifoCalls',
    'FIFO queue',
    9_000,
    9_000,
    scaled(event, { queue: 'highThroughputFifo' }, { region: 'ap-south-1' }),
  ],
  ['fifoGroupCalls', 'FIFO group', 300, 300, busiest(saga, { queue: 'highThroughputFifo' })],
  ['fifoGroupCalls', 'FIFO group', 300, 300, busiest(saga, { queue: 'fifo' })],
  ['topicMessages', 'topics', 30_000, 30_000, scaled(event, { topicMessages: 1 })],
  ['topicMessages', 'topics', 300, 300, scaled(event, { topicMessages: 1 }, { region: 'il-central-1' })],
  ['busCalls', 'event buses', 10_000, 10_000, scaled(event, { busEvents: 1 })],
  ['busCalls', 'event buses', 10_000, 5_000, scaled({ outgoing: 11 }, { busEvents: 11 })],
  ['busCalls', 'event buses', 400, 800, scaled(event, { busEvents: 0.5 }, { region: 'me-south-1' })],
  ['busInvocations', 'event buses', 18_750, 18_750, scaled(event, { busEvents: 1 })],
  [
    'busInvocations',
    'event buses',
    1_100,
    100,
    scaled({ outgoing: 11 }, { busEvents: 11 }, { region: 'me-south-1' }),
  ],
  ['scheduleCalls', 'schedules', 5_000, 5_000, scaled(event, { schedules: 1 })],
  ['scheduleCalls', 'schedules', 250, 500, scaled(event, { schedules: 0.5 }, { region: 'us-west-1' })],
  [
    'schedulesWaiting',
    'schedules',
    10_000_000,
    1_000,
    scaled(event, { schedules: 1, scheduleDelay: { seconds: 10_000 } }),
  ],
  ['scheduleInvocations', 'schedules', 1_000, 1_000, scaled(event, { schedules: 1 })],
  ['scheduleInvocations', 'schedules', 500, 500, scaled(event, { schedules: 1 }, { region: 'us-west-1' })],
];

/** Where a size has a limit, not a rate: a saga of these bytes. */
export const sizes: readonly Boundary[] = [
  ['sagaItem', 'saga item', 399 * KILOBYTE, 399 * KILOBYTE, (sagaBytes) => rateOf({ sagaBytes })(1)],
  [
    'outboxItem',
    'outbox item',
    400 * KILOBYTE,
    400 * KILOBYTE,
    (metadataBytes) => rateOf({ metadataBytes })(1),
  ],
];

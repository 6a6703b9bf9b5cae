import { limits } from '../../kernel/limits.ts';
import type { ScaleLoad } from './scale-load.ts';
import type { WholeScale } from './scale-shape.ts';
import { byRegion, figureOf, type LimitFigure, type LimitRule } from './service-limit.ts';

const inFlight = {
  unit: 'messages in flight',
  limit: 120_000,
  remedy:
    'Shorten the invocations. Failed messages that wait for their next delivery are in flight too: fail over to the ' +
    'error queue sooner, or take several queues',
} as const;

/** Messages that are received and not deleted, while their invocation runs. */
function received(of: readonly WholeScale['queue'][]): LimitRule['figuresOf'] {
  return ({ scale: { queue }, messagesPerSecond, invocationSeconds }) =>
    of.includes(queue) ? figureOf('queue', messagesPerSecond * invocationSeconds, messagesPerSecond) : [];
}

/** Of each action by itself: receives, deletes, and sends of producers that fill batches as well. */
function calls({ scale, messagesPerSecond, batchSize }: ScaleLoad, of: WholeScale['queue']): LimitFigure[] {
  if (scale.queue !== of) return [];
  const figure = messagesPerSecond / Math.min(batchSize, limits.sendBatchEntries);
  return figureOf('FIFO queue', figure, messagesPerSecond);
}

/** What a queue takes. A standard queue has no limit of calls. */
export const queueLimits: readonly LimitRule[] = [
  {
    ...inFlight,
    name: 'queueInFlight',
    adjustable: true,
    title: 'Amazon SQS standard queue quotas',
    figuresOf: received(['standard']),
  },
  {
    ...inFlight,
    name: 'fifoInFlight',
    adjustable: true,
    title: 'Amazon SQS FIFO queue quotas',
    figuresOf: received(['fifo', 'highThroughputFifo']),
  },
  {
    name: 'fifoCalls',
    unit: 'calls/s of an action',
    limit: 300,
    adjustable: false,
    title: 'Amazon SQS message quotas',
    remedy:
      'Fill batches of ten, which makes 3,000 messages of 300 calls, and set fifoThroughputLimit per message group ' +
      '(high throughput), with many groups. A standard queue has no such limit',
    figuresOf: (load) => calls(load, 'fifo'),
  },
  {
    name: 'highThroughputFifoCalls',
    unit: 'calls/s of an action',
    limit: byRegion(
      {
        70000: ['us-east-1', 'us-west-2', 'eu-west-1'],
        19000: ['us-east-2', 'eu-central-1'],
        9000: ['ap-south-1', 'ap-southeast-1', 'ap-southeast-2', 'ap-northeast-1'],
        4500: ['eu-west-2', 'sa-east-1'],
      },
      2_400,
    ),
    adjustable: true,
    title: 'Amazon SQS message quotas',
    remedy: 'Fill batches of ten, ask for a higher quota, or take several queues or a standard one',
    figuresOf: (load) => calls(load, 'highThroughputFifo'),
  },
  {
    name: 'fifoGroupCalls',
    unit: 'calls/s of an action',
    limit: 300,
    adjustable: false,
    title: 'Partitions and data distribution for high throughput for SQS FIFO queues',
    remedy:
      'Fill batches of ten of one group, which makes 3,000 messages, or give the saga a finer correlation',
    figuresOf: ({ scale: { queue, busiestSagaMessagesPerSecond: busiest }, batchSize }) =>
      queue === 'standard'
        ? []
        : figureOf('FIFO group', busiest / Math.min(batchSize, limits.sendBatchEntries), busiest),
  },
];

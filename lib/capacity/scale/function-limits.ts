import { concurrency } from './scale-load.ts';
import { figureOf, type LimitRule } from './service-limit.ts';

const eventSources = 'Configuring scaling behavior for SQS event source mappings';
const larger = 'Larger batches and shorter handlers need fewer invocations';
const pollers =
  'Provisioned pollers add 1,000 a minute and exclude maxConcurrency; several queues, each with an event source, ' +
  'scale side by side';

/** What must be added between the average and the busiest time. */
const growth: LimitRule['figuresOf'] = (load) => {
  const { messagesPerSecond, averageMessagesPerSecond } = load;
  const added = concurrency(messagesPerSecond, load) - concurrency(averageMessagesPerSecond, load);
  return figureOf('invocations', added, messagesPerSecond);
};

const running =
  (of: string): LimitRule['figuresOf'] =>
  (load) =>
    figureOf(of, concurrency(load.messagesPerSecond, load), load.messagesPerSecond);

/** Invocations that run at the same time, and how fast there are more of them. */
export const functionLimits: readonly LimitRule[] = [
  {
    name: 'accountConcurrency',
    unit: 'concurrent invocations',
    limit: 1_000,
    adjustable: true,
    title: 'Lambda quotas',
    remedy: `Ask for more concurrent executions in the Service Quotas console: all functions of a region share them. ${larger}`,
    figuresOf: running('function'),
  },
  {
    name: 'eventSourceConcurrency',
    unit: 'concurrent invocations',
    limit: 1_250,
    adjustable: true,
    title: eventSources,
    remedy: `${pollers}. ${larger}`,
    figuresOf: running('event source'),
  },
  {
    name: 'eventSourceGrowth',
    unit: 'more within a minute',
    limit: 300,
    adjustable: false,
    title: eventSources,
    remedy: `${pollers}. The queue keeps what waits meanwhile`,
    figuresOf: growth,
  },
  {
    name: 'functionGrowth',
    unit: 'more within 10 s',
    limit: 1_000,
    adjustable: false,
    title: 'Lambda scaling behavior',
    remedy: 'Split the endpoint into functions: each grows by itself. The queue keeps what waits meanwhile',
    figuresOf: growth,
  },
];

import { concurrency, countedConcurrency, type ScaleLoad } from './scale-load.ts';
import { figureOf, type LimitRule } from './service-limit.ts';

const eventSources = 'Configuring scaling behavior for SQS event source mappings';
const larger = 'Larger batches and shorter handlers need fewer invocations';
const pollers =
  'Provisioned pollers add 1,000 a minute and exclude maxConcurrency; several queues, each with an event source, ' +
  'scale side by side';

const running =
  (of: string, concurrencyOf: (load: ScaleLoad) => number): LimitRule['figuresOf'] =>
  (load) =>
    figureOf(of, concurrencyOf(load), load.messagesPerSecond);

/** Pollers limit standard queues. The event source of a FIFO queue scales with its active message groups. */
const polling: LimitRule['figuresOf'] = (load) =>
  load.scale.queue === 'standard' ? running('event source', concurrency)(load) : [];

/** An event source of a standard queue polls with so many when it starts from idle, and adds so many in a minute. */
const POLLERS = { first: 5, added: 300 } as const;

/** Invocations that run at the same time, and how fast there are more of them. */
export const functionLimits: readonly LimitRule[] = [
  {
    name: 'accountConcurrency',
    unit: 'concurrency',
    limit: 1_000,
    adjustable: true,
    title: 'Lambda quotas',
    remedy: `Ask for more concurrent executions in the Service Quotas console: all functions of a region share them. ${larger}`,
    isShared: true,
    figuresOf: running('functions', countedConcurrency),
  },
  {
    name: 'eventSourceConcurrency',
    unit: 'concurrency',
    limit: 1_250,
    adjustable: true,
    title: eventSources,
    remedy: `${pollers}. ${larger}`,
    figuresOf: polling,
  },
  {
    name: 'eventSourceGrowth',
    unit: 'begun in a minute',
    limit: POLLERS.first + POLLERS.added,
    adjustable: false,
    title: eventSources,
    remedy: `${pollers}. The queue keeps what waits meanwhile: ${POLLERS.added} are added in each minute`,
    figuresOf: polling,
  },
  {
    name: 'functionGrowth',
    unit: 'begun in 10 s',
    limit: 1_000,
    adjustable: false,
    title: 'Lambda scaling behavior',
    remedy: 'Split the endpoint into functions: each grows by itself. The queue keeps what waits meanwhile',
    figuresOf: running('function', countedConcurrency),
  },
];

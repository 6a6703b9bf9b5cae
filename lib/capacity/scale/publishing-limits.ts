import { toMilliseconds } from '../../kernel/duration.ts';
import { limits } from '../../kernel/limits.ts';
import { byRegion, figureOf, type LimitRule } from './service-limit.ts';

const scheduler = 'Quotas for Amazon EventBridge Scheduler';
const raise = 'Ask for a higher quota in the Service Quotas console';

const schedulerRegions = [
  ...['us-east-1', 'us-east-2', 'us-west-2', 'ap-northeast-1', 'ap-south-1', 'ap-southeast-1'],
  ...['ap-southeast-2', 'eu-central-1', 'eu-west-1', 'eu-west-2', 'sa-east-1'],
];

/** What topics, event buses and the Scheduler take of an account in one region. */
export const publishingLimits: readonly LimitRule[] = [
  {
    name: 'topicMessages',
    unit: 'messages/s',
    limit: byRegion(
      {
        30000: ['us-east-1'],
        9000: ['us-west-2', 'eu-west-1'],
        1500: [
          ...['us-east-2', 'us-west-1', 'ap-south-1', 'ap-northeast-1', 'ap-northeast-2', 'ap-southeast-1'],
          ...['ap-southeast-2', 'eu-central-1'],
        ],
      },
      300,
    ),
    adjustable: true,
    isShared: true,
    title: 'Amazon Simple Notification Service endpoints and quotas',
    remedy: `${raise}. A message with one receiver needs no topic: send it to its queue`,
    figuresOf: ({ messagesPerSecond, scale: { topicMessages } }) =>
      figureOf('topics', messagesPerSecond * topicMessages, messagesPerSecond),
  },
  {
    name: 'busCalls',
    unit: 'PutEvents calls/s',
    limit: byRegion(
      {
        10000: ['us-east-1', 'us-west-2', 'eu-west-1'],
        2400: ['us-east-2', 'eu-central-1', 'eu-south-2'],
        1200: ['us-west-1', 'ap-northeast-1', 'ap-southeast-1', 'ap-southeast-2', 'eu-west-2'],
        600: [
          ...['ap-east-1', 'ap-northeast-2', 'ap-south-1', 'ca-central-1', 'eu-north-1', 'eu-west-3'],
          'sa-east-1',
        ],
      },
      400,
    ),
    adjustable: true,
    isShared: true,
    title: 'Amazon EventBridge quotas',
    remedy: `${raise}. A topic or a queue takes more; events of one handler share calls of ten`,
    figuresOf: ({ messagesPerSecond, scale: { busEvents } }) => {
      const calls = Math.min(busEvents, Math.ceil(busEvents / limits.sendBatchEntries));
      return figureOf('event buses', messagesPerSecond * calls, messagesPerSecond);
    },
  },
  {
    name: 'busInvocations',
    unit: 'rule invocations/s',
    limit: byRegion(
      {
        18750: ['us-east-1', 'us-west-2', 'eu-west-1'],
        4500: ['us-east-2', 'eu-central-1'],
        2250: ['us-west-1', 'ap-northeast-1', 'ap-southeast-1', 'ap-southeast-2', 'eu-west-2'],
        750: ['af-south-1', 'ap-northeast-3', 'ap-southeast-3', 'eu-south-1'],
      },
      1_100,
    ),
    adjustable: true,
    isShared: true,
    title: 'Amazon EventBridge quotas',
    remedy: `${raise}. What is over it is late, not lost. An event that several rules match counts for each of them`,
    figuresOf: ({ messagesPerSecond, scale: { busEvents } }) =>
      figureOf('event buses', messagesPerSecond * busEvents, messagesPerSecond),
  },
  {
    name: 'scheduleCalls',
    unit: 'CreateSchedule/s',
    limit: byRegion({ 5000: schedulerRegions }, 250),
    adjustable: true,
    isShared: true,
    title: scheduler,
    remedy: `${raise}. Delays of up to 15 minutes to a standard queue need no schedule`,
    figuresOf: ({ messagesPerSecond, scale: { schedules } }) =>
      figureOf('schedules', messagesPerSecond * schedules, messagesPerSecond),
  },
  {
    name: 'schedulesWaiting',
    unit: 'waiting',
    limit: 10_000_000,
    adjustable: true,
    isShared: true,
    title: scheduler,
    remedy: `${raise}. Cancel timeouts that are no longer awaited, or make their delays shorter`,
    figuresOf: ({ averageMessagesPerSecond, messagesPerSecond, scale: { schedules, scheduleDelay } }) => {
      const seconds = toMilliseconds(scheduleDelay) / 1000;
      return figureOf('schedules', averageMessagesPerSecond * schedules * seconds, messagesPerSecond);
    },
  },
  {
    name: 'scheduleInvocations',
    unit: 'invocations/s',
    limit: byRegion({ 1000: schedulerRegions }, 500, false),
    adjustable: true,
    isShared: true,
    title: scheduler,
    remedy: `${raise}. What is over it is late, not lost; a random part in the delays spreads it`,
    figuresOf: ({ messagesPerSecond, scale: { schedules } }) =>
      figureOf('schedules', messagesPerSecond * schedules, messagesPerSecond),
  },
];

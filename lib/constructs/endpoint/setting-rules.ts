import { type Duration, Resource, Token } from 'aws-cdk-lib';
import { DeduplicationScope, FifoThroughputLimit, type IQueue } from 'aws-cdk-lib/aws-sqs';
import { rangeProblem } from '../../core/checks/bounds.ts';
import { limits } from '../../core/limits.ts';
import { claimCheckOf } from '../claim-check/claim-check.ts';
import { isKnown } from '../is-known.ts';
import { environmentRule } from './environment-rules.ts';
import { existingQueueRules } from './existing-queue.ts';
import { functionPropRules, ownedSettings } from './function-props.ts';
import type { EndpointSettings } from './message-endpoint-props.ts';
import { queueNameProblem } from './queue-names.ts';
import { rangeRules } from './setting-ranges.ts';
import type { SettingRule } from './setting-rule.ts';

const MAX_BATCH_WITHOUT_WINDOW = 10;

/** Of a function that is given, they are set by whoever makes it. */
const settingsOfMadeFunctions = [
  'entry',
  'functionTimeout',
  'memorySizeMb',
  'architecture',
  'bundling',
  'recursiveLoop',
  'functionProps',
  'logRetention',
  'aliasName',
] as const;

/** The first rule that a setting violates is reported, and the endpoint goes on with the setting's default. */
export const settingRules: readonly SettingRule[] = [
  {
    name: 'endpointNameIsNotEmpty',
    setting: 'endpointName',
    problemOf: ({ endpointName }) =>
      endpointName === ''
        ? { problem: 'it is empty', remedy: "Leave it out to use the construct's id, or name the endpoint" }
        : undefined,
  },
  ...settingsOfMadeFunctions.map(
    (setting): SettingRule => ({
      name: `${setting}IsOfAFunctionThatIsMade`,
      setting,
      problemOf: ({ [setting]: value, function: given }) =>
        value === undefined || given === undefined
          ? undefined
          : { problem: 'it is set beside a function', remedy: `Leave ${setting} or function out` },
    }),
  ),
  {
    name: 'queueNameIsOne',
    setting: 'queueName',
    problemOf: ({ queueName, fifo = false }) => queueNameProblem(queueName, fifo),
  },
  ...existingQueueRules,
  ...rangeRules,
  {
    name: 'largeBatchesAreForStandardQueues',
    setting: 'batchSize',
    problemOf: (settings) =>
      isFifo(settings) && isOver(settings.batchSize)
        ? {
            problem: `${settings.batchSize} is more than a FIFO queue gives`,
            remedy: `Use at most ${MAX_BATCH_WITHOUT_WINDOW}`,
          }
        : undefined,
  },
  {
    name: 'windowsAreForStandardQueues',
    setting: 'maxBatchingWindow',
    problemOf: (settings) =>
      isFifo(settings) && settings.maxBatchingWindow !== undefined
        ? { problem: 'a FIFO queue has none', remedy: 'Leave it out, or make the endpoint standard' }
        : undefined,
  },
  {
    name: 'largeBatchesNeedAWindow',
    setting: 'batchSize',
    problemOf: ({ batchSize, maxBatchingWindow }) =>
      isOver(batchSize) && !lastsASecond(maxBatchingWindow)
        ? {
            problem: `${batchSize} messages need a maxBatchingWindow of at least 1 s`,
            remedy: `Set that, or use at most ${MAX_BATCH_WITHOUT_WINDOW}`,
          }
        : undefined,
  },
  {
    name: 'throughputLimitIsForFifoQueues',
    setting: 'fifoThroughputLimit',
    problemOf: (settings) => fifoOnly(settings, 'fifoThroughputLimit'),
  },
  {
    name: 'deduplicationScopeIsForFifoQueues',
    setting: 'deduplicationScope',
    problemOf: (settings) => fifoOnly(settings, 'deduplicationScope'),
  },
  {
    name: 'throughputPerGroupNeedsDeduplicationPerGroup',
    setting: 'fifoThroughputLimit',
    problemOf: ({ fifoThroughputLimit, deduplicationScope }) =>
      fifoThroughputLimit === FifoThroughputLimit.PER_MESSAGE_GROUP_ID &&
      deduplicationScope === DeduplicationScope.QUEUE
        ? {
            problem: 'throughput per message group needs deduplication per message group',
            remedy: 'Leave deduplicationScope out, or use DeduplicationScope.MESSAGE_GROUP',
          }
        : undefined,
  },
  {
    name: 'errorQueueIsOfTheSameKind',
    setting: 'errorQueue',
    problemOf: (settings) => {
      const { errorQueue } = settings;
      const fifo = isFifo(settings);
      if (!errorQueue || !tellsItsKind(errorQueue) || errorQueue.fifo === fifo) return undefined;
      const [its, own] = fifo ? ['standard', 'FIFO'] : ['FIFO', 'standard'];
      return {
        problem: `'${errorQueue.node.path}' is ${its}, and the endpoint is ${own}`,
        remedy: `Give a ${own} queue, or leave it out`,
      };
    },
  },
  {
    name: 'claimCheckThresholdIsInRange',
    setting: 'claimCheck',
    problemOf: ({ claimCheck }) => {
      const threshold = claimCheckOf(claimCheck)?.thresholdBytes;
      if (threshold === undefined || !isKnown(threshold)) return undefined;
      const found = rangeProblem(threshold, { min: 1, max: limits.messageBytes });
      return found && { ...found, problem: `thresholdBytes: ${found.problem}` };
    },
  },
  {
    name: 'functionPropsAreNotOwned',
    setting: 'functionProps',
    problemOf: ({ functionProps }) => {
      const owned = Object.keys(functionProps ?? {}).filter((name) => name in ownedSettings);
      if (owned.length === 0) return undefined;
      const remedies = owned.map((name) => ownedSettings[name as keyof typeof ownedSettings]);
      return {
        problem: `${owned.join(', ')} ${owned.length === 1 ? 'belongs' : 'belong'} to the endpoint`,
        remedy: [...new Set(remedies)].join('. '),
      };
    },
  },
  ...functionPropRules.map(
    ({ name, problemOf }): SettingRule => ({
      name,
      setting: 'functionProps',
      problemOf: ({ functionProps }) => functionProps && problemOf(functionProps),
    }),
  ),
  environmentRule,
];

/** Of the given queue, if there is one. */
export function isFifo({ fifo = false, queue }: Pick<EndpointSettings, 'fifo' | 'queue'>): boolean {
  return queue?.fifo ?? fifo;
}

function fifoOnly(settings: EndpointSettings, setting: 'fifoThroughputLimit' | 'deduplicationScope') {
  if (settings[setting] === undefined || isFifo(settings)) return undefined;
  return { problem: 'a standard queue has none', remedy: 'Leave it out, or make the endpoint FIFO' };
}

function isOver(batchSize: number | undefined): boolean {
  return batchSize !== undefined && isKnown(batchSize) && batchSize > MAX_BATCH_WITHOUT_WINDOW;
}

function lastsASecond(window: Duration | undefined): boolean {
  return window !== undefined && (window.isUnresolved() || window.toMilliseconds() >= 1000);
}

/** The name of an imported queue tells its kind, once it is known. */
function tellsItsKind(queue: IQueue): boolean {
  return Resource.isOwnedResource(queue) || !Token.isUnresolved(queue.queueArn);
}

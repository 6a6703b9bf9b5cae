import { Duration, Resource } from 'aws-cdk-lib';
import { Architecture, RecursiveLoop } from 'aws-cdk-lib/aws-lambda';
import { RetentionDays } from 'aws-cdk-lib/aws-logs';
import { DeduplicationScope, FifoThroughputLimit, Queue } from 'aws-cdk-lib/aws-sqs';
import { aNumber, anyValue, aString, kind, trueOrFalse, unless } from '../../kernel/checks/checks.ts';
import { retentionDefaults } from '../../kernel/message-lifetime.ts';
import { withProps } from '../checks/prop-checks.ts';
import {
  aConstruct,
  aDuration,
  aKey,
  aNameOf,
  anArchitecture,
  aQueue,
  aTable,
  isBoolean,
  isConstructWith,
  isFalse,
  memberOf,
  oneOf,
  strings,
  trueOrFalseOrToken,
} from '../checks/prop-kinds.ts';
import { type Condition, defaultsOf, type PropRow, type PropRows } from '../checks/prop-rows.ts';
import { claimCheckCheck } from '../claim-check/claim-check.ts';
import { emittedMetricsChecks } from '../monitoring/metrics-environment.ts';
import { aRemovalPolicy, defaultRemovalPolicy } from '../removal-policies.ts';
import type { LeadingKeys } from '../tables/leading-keys.ts';
import { bundlingCheck, functionPropsCheck } from './function-props.ts';
import type { EndpointSettings } from './message-endpoint-props.ts';
import { variables } from './variable-names.ts';

const oneDay = 86_400;
/** Source: "Amazon SQS message quotas" (retention). */
const retentionBounds = { min: 60, max: 14 * oneDay } as const;

type EndpointCondition = Condition<EndpointSettings>;

const ofMadeFunctions: EndpointCondition = {
  name: 'of functions that are made',
  problemOf: ({ function: given }, setting) =>
    given === undefined
      ? undefined
      : { problem: 'it is set beside a function', remedy: `Leave ${setting} or function out` },
};

const ofFifoQueues: EndpointCondition = {
  name: 'of FIFO queues',
  problemOf: (settings) =>
    isFifo(settings)
      ? undefined
      : { problem: 'a standard queue has none', remedy: 'Leave it out, or make the endpoint FIFO' },
};

const ofStandardQueues: EndpointCondition = {
  name: 'of standard queues',
  problemOf: (settings) =>
    isFifo(settings)
      ? { problem: 'a FIFO queue has none', remedy: 'Leave it out, or make the endpoint standard' }
      : undefined,
};

const ofMadeQueues: EndpointCondition = {
  name: 'of queues that are made',
  problemOf: ({ queue }, setting) =>
    queue && { problem: `it is that of '${queue.node.path}'`, remedy: `Leave ${setting} or queue out` },
};

/** Of an imported queue, the endpoint may be told them. */
const ofUnknownQueues: EndpointCondition = {
  name: 'of queues that are made or imported',
  problemOf: (settings, setting) =>
    settings.queue instanceof Queue ? ofMadeQueues.problemOf(settings, setting) : undefined,
};

const ofImportedQueues: EndpointCondition = {
  name: 'of imported queues',
  problemOf: ({ queue }) =>
    queue !== undefined && !Resource.isOwnedResource(queue)
      ? undefined
      : {
          problem: 'it tells that of an imported queue, and the endpoint knows its own one',
          remedy: 'Leave it out, or give an imported queue',
        },
};

/** The props of the functions that constructs bundle. Sources: "Lambda quotas" (timeout, memory). */
export const bundledFunctionRows = {
  functionTimeout: { kind: aDuration, bounds: { min: 1, max: 900 }, default: Duration.seconds(30) },
  memorySizeMb: { kind: aNumber, bounds: { min: 128, max: 10_240 }, default: 512 },
  architecture: { kind: anArchitecture, default: Architecture.ARM_64 },
  bundling: { kind: bundlingCheck },
  functionProps: { kind: functionPropsCheck('endpoint') },
  logRetention: { kind: memberOf('RetentionDays', RetentionDays), default: RetentionDays.ONE_MONTH },
} satisfies Record<string, PropRow<never>>;

const only = [ofMadeFunctions];

/** The props that any endpoint has, with a queue or without. */
export const anyEndpointRows = {
  endpointName: {
    kind: (name, at, report) => {
      if (name !== '') return aString(name, at, report);
      report.add(at, 'it is empty', "Leave it out to use the construct's id, or name the endpoint");
      return undefined;
    },
  },
  deduplicationPeriod: { kind: aDuration, bounds: { min: 1 } },
  singleWriterRegion: { kind: trueOrFalse },
  scheduler: {
    kind: kind(
      'true, false or a MessageScheduler',
      (value) => isBoolean(value) || isConstructWith(value, 'group', 'role', 'deadLetterQueue'),
    ),
  },
  claimCheck: { kind: claimCheckCheck },
  encryptionKey: { kind: aKey },
  operatingOutput: { kind: trueOrFalse },
  metricsNamespace: { kind: emittedMetricsChecks.metricsNamespace },
} satisfies Record<string, PropRow<never>>;

/**
 * The props of an endpoint. Sources: "EventSourceMapping" in the AWS Lambda API Reference (BatchSize,
 * MaximumBatchingWindowInSeconds), "Amazon SQS queue parameters" (maximum receives), "Amazon SQS message quotas"
 * (visibility timeout), "CreateAlias" in the AWS Lambda API Reference (Name).
 */
export const endpointRows = {
  ...anyEndpointRows,
  // What is none of them is reported with what else can be wrong with them.
  entry: { kind: anyValue, only },
  function: { kind: anyValue },
  functionTimeout: { ...bundledFunctionRows.functionTimeout, only },
  memorySizeMb: { ...bundledFunctionRows.memorySizeMb, only },
  architecture: { ...bundledFunctionRows.architecture, only },
  bundling: { ...bundledFunctionRows.bundling, only },
  functionProps: { ...bundledFunctionRows.functionProps, only },
  logRetention: { ...bundledFunctionRows.logRetention, only },
  recursiveLoop: { kind: memberOf('RecursiveLoop', RecursiveLoop), only, default: RecursiveLoop.ALLOW },
  aliasName: {
    kind: aNameOf(
      'an alias',
      /^(?!\d+$)[A-Za-z0-9_-]{1,128}$/,
      'Use at most 128 letters, digits, hyphens and underscores, not digits alone',
    ),
    only,
  },
  environment: { kind: variables },
  metricsByMessageType: { kind: emittedMetricsChecks.metricsByMessageType },
  queue: { kind: aQueue },
  queueName: { kind: aString, only: [ofMadeQueues] },
  fifo: { kind: trueOrFalse, only: [ofMadeQueues], default: false },
  fifoThroughputLimit: {
    kind: memberOf('FifoThroughputLimit', FifoThroughputLimit),
    only: [ofMadeQueues, ofFifoQueues],
  },
  deduplicationScope: {
    kind: memberOf('DeduplicationScope', DeduplicationScope),
    only: [ofMadeQueues, ofFifoQueues],
  },
  deadLetterQueue: { kind: aQueue, only: [ofImportedQueues] },
  errorQueue: { kind: unless(isFalse, aConstruct('a queue or false', 'queueArn')) },
  removalPolicy: { kind: aRemovalPolicy, default: defaultRemovalPolicy },
  visibilityTimeout: { kind: aDuration, bounds: { min: 0, max: 12 * 3600 }, only: [ofUnknownQueues] },
  retention: {
    kind: aDuration,
    bounds: retentionBounds,
    only: [ofUnknownQueues],
    default: Duration.days(retentionDefaults.retention.days),
  },
  maxReceiveCount: { kind: aNumber, bounds: { min: 1, max: 1000 }, only: [ofUnknownQueues], default: 5 },
  deadLetterRetention: {
    kind: aDuration,
    bounds: retentionBounds,
    default: Duration.days(retentionDefaults.deadLetterRetention.days),
  },
  sourcesByNamePattern: { kind: strings },
  enabled: { kind: trueOrFalseOrToken },
  batchSize: { kind: aNumber, bounds: { min: 1, max: 10_000 }, default: 10 },
  maxBatchingWindow: { kind: aDuration, bounds: { min: 0, max: 300 }, only: [ofStandardQueues] },
  maxConcurrency: { kind: aNumber, bounds: { min: 2, max: 1000 } },
  sagaTable: { kind: aTable },
  outboxTable: { kind: aTable },
  locking: { kind: oneOf('optimistic', 'pessimistic'), default: 'optimistic' as const },
  embeddedOutbox: { kind: trueOrFalse, default: false },
  leadingKeys: { kind: withProps<LeadingKeys>({ sagas: strings }, { needs: ['sagas'] }) },
} satisfies PropRows<EndpointSettings>;

export const endpointDefaults = defaultsOf(endpointRows);

/** Of the given queue, if there is one. */
export function isFifo({ fifo = false, queue }: Pick<EndpointSettings, 'fifo' | 'queue'>): boolean {
  return queue?.fifo ?? fifo;
}

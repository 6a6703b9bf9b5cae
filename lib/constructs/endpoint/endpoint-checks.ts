import { RecursiveLoop } from 'aws-cdk-lib/aws-lambda';
import { RetentionDays } from 'aws-cdk-lib/aws-logs';
import { DeduplicationScope, FifoThroughputLimit } from 'aws-cdk-lib/aws-sqs';
import {
  aNumber,
  anyValue,
  aString,
  type Check,
  kind,
  trueOrFalse,
  unless,
} from '../../core/checks/checks.ts';
import { aRecordOf, type PropChecks, withProps } from '../checks/prop-checks.ts';
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
import { claimCheckCheck } from '../claim-check/claim-check.ts';
import { emittedMetricsChecks } from '../monitoring/metrics-environment.ts';
import { aRemovalPolicy } from '../removal-policies.ts';
import type { LeadingKeys } from '../tables/leading-keys.ts';
import { bundlingCheck, functionPropsCheck } from './function-props.ts';
import type { EndpointSettings } from './message-endpoint-props.ts';

/** Of the functions that constructs bundle. */
export const bundledFunctionChecks = {
  functionTimeout: aDuration,
  memorySizeMb: aNumber,
  architecture: anArchitecture,
  bundling: bundlingCheck,
  functionProps: functionPropsCheck,
  logRetention: memberOf('RetentionDays', RetentionDays),
} satisfies Record<string, Check>;

export const endpointChecks: PropChecks<EndpointSettings> = {
  ...bundledFunctionChecks,
  ...emittedMetricsChecks,
  endpointName: aString,
  queueName: aString,
  fifo: trueOrFalse,
  fifoThroughputLimit: memberOf('FifoThroughputLimit', FifoThroughputLimit),
  deduplicationScope: memberOf('DeduplicationScope', DeduplicationScope),
  queue: aQueue,
  deadLetterQueue: aQueue,
  removalPolicy: aRemovalPolicy,
  errorQueue: unless(isFalse, aConstruct('a queue or false', 'queueArn')),
  sagaTable: aTable,
  outboxTable: aTable,
  locking: oneOf('optimistic', 'pessimistic'),
  embeddedOutbox: trueOrFalse,
  leadingKeys: withProps<LeadingKeys>({ sagas: strings }, { needs: ['sagas'] }),
  singleWriterRegion: trueOrFalse,
  enabled: trueOrFalseOrToken,
  batchSize: aNumber,
  maxBatchingWindow: aDuration,
  maxConcurrency: aNumber,
  visibilityTimeout: aDuration,
  maxReceiveCount: aNumber,
  retention: aDuration,
  deduplicationPeriod: aDuration,
  deadLetterRetention: aDuration,
  encryptionKey: aKey,
  sourcesByNamePattern: strings,
  scheduler: kind(
    'true, false or a MessageScheduler',
    (value) => isBoolean(value) || isConstructWith(value, 'group', 'role', 'deadLetterQueue'),
  ),
  claimCheck: claimCheckCheck,
  environment: aRecordOf(aString),
  operatingOutput: trueOrFalse,
  // What is none of them is reported with what else can be wrong with them.
  entry: anyValue,
  function: anyValue,
  recursiveLoop: memberOf('RecursiveLoop', RecursiveLoop),
  // Source: "CreateAlias" in the AWS Lambda API Reference (Name).
  aliasName: aNameOf(
    'an alias',
    /^(?!\d+$)[A-Za-z0-9_-]{1,128}$/,
    'Use at most 128 letters, digits, hyphens and underscores, not digits alone',
  ),
};

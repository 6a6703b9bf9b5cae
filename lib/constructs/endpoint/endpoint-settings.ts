import { Duration, RemovalPolicy } from 'aws-cdk-lib';
import { Architecture, RecursiveLoop } from 'aws-cdk-lib/aws-lambda';
import { RetentionDays } from 'aws-cdk-lib/aws-logs';
import { retentionDefaults } from '../../core/storage/message-lifetime.ts';
import { defaultDeduplicationPeriod } from '../../core/storage/table-defaults.ts';

export const endpointDefaults = {
  fifo: false,
  locking: 'optimistic',
  embeddedOutbox: false,
  batchSize: 10,
  maxReceiveCount: 5,
  retention: Duration.days(retentionDefaults.retention.days),
  deadLetterRetention: Duration.days(retentionDefaults.deadLetterRetention.days),
  minDeduplicationPeriod: Duration.days(defaultDeduplicationPeriod.days),
  functionTimeout: Duration.seconds(30),
  memorySizeMb: 512,
  architecture: Architecture.ARM_64,
  recursiveLoop: RecursiveLoop.ALLOW,
  removalPolicy: RemovalPolicy.RETAIN,
  logRetention: RetentionDays.ONE_MONTH,
} as const;

/** AWS recommends it, so that a batch that is throttled can be retried before its messages are seen again. */
export const VISIBILITY_PER_FUNCTION_TIMEOUT = 6;
/** What Lambda uses for a function that sets no timeout. */
export const unsetFunctionTimeout = Duration.seconds(3);

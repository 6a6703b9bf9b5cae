import { Duration, Token } from 'aws-cdk-lib';
import { Architecture, RecursiveLoop } from 'aws-cdk-lib/aws-lambda';
import { SagaboxError } from '../../core/failures/errors.ts';
import { limits } from '../../core/limits.ts';
import { defaultDeduplicationPeriod } from '../../core/storage/table-defaults.ts';
import { claimCheckOf } from '../claim-check/claim-check.ts';
import { hasRelayIndex } from '../tables/has-relay-index.ts';
import { MessagingTable } from '../tables/messaging-table.ts';
import type { MessageEndpointProps } from './message-endpoint-props.ts';

export const endpointDefaults = {
  fifo: false,
  batchSize: 10,
  maxReceiveCount: 5,
  retention: Duration.days(4),
  deadLetterRetention: Duration.days(7),
  minDeduplicationPeriod: Duration.days(defaultDeduplicationPeriod.days),
  functionTimeout: Duration.seconds(30),
  memorySizeMb: 512,
  architecture: Architecture.ARM_64,
  recursiveLoop: RecursiveLoop.ALLOW,
} as const;

/** AWS recommends it, so that a batch that is throttled can be retried before its messages are seen again. */
export const VISIBILITY_PER_FUNCTION_TIMEOUT = 6;
/** Source: "Lambda quotas" (timeout). */
export const MAX_FUNCTION_TIMEOUT_SECONDS = 900;
/** What Lambda uses for a function that sets no timeout. */
export const unsetFunctionTimeout = Duration.seconds(3);

export const OWN_VARIABLE_PREFIX = 'SAGABOX_';

/** Refuses what no endpoint could work with, whatever its other settings are. */
export function assertEndpointSettings(props: MessageEndpointProps): void {
  if (props.endpointName === '') {
    throw new SagaboxError('Configuration', {
      setting: 'endpointName',
      problem: 'it is empty',
      remedy: "Leave it out to use the construct's id, or name the endpoint",
    });
  }
  assertRange('batchSize', props.batchSize, 1, 10);
  assertRange('maxConcurrency', props.maxConcurrency, 2, 1000);
  const thresholdBytes = claimCheckOf(props.claimCheck)?.thresholdBytes;
  assertRange('claimCheck.thresholdBytes', thresholdBytes, 1, limits.messageBytes);
  assertRelayIndex(props);
  const reserved = Object.keys(props.environment ?? {}).filter((name) =>
    name.startsWith(OWN_VARIABLE_PREFIX),
  );
  if (reserved.length > 0) {
    throw new SagaboxError('Configuration', {
      setting: 'environment',
      problem: `${reserved.join(', ')} would be overwritten by the endpoint`,
      remedy: `Use names that do not begin with ${OWN_VARIABLE_PREFIX}`,
    });
  }
}

function assertRelayIndex({ relayIndex, outboxTable }: MessageEndpointProps): void {
  if (relayIndex !== true) return;
  if (outboxTable !== undefined && !(outboxTable instanceof MessagingTable)) return;
  if (hasRelayIndex(outboxTable)) return;
  throw new SagaboxError('Configuration', {
    setting: 'relayIndex',
    problem: `it is true, and ${outboxTable === undefined ? 'there is no outboxTable' : `'${outboxTable.node.path}' has none`}`,
    remedy: outboxTable === undefined ? 'Give an outboxTable' : 'Give the table a relayIndex',
  });
}

/** @throws SagaboxError `Configuration` */
export function assertRange(
  setting: string,
  value: number | undefined,
  minimum: number,
  maximum: number,
): void {
  if (value === undefined || Token.isUnresolved(value)) return;
  if (Number.isInteger(value) && value >= minimum && value <= maximum) return;
  throw new SagaboxError('Configuration', {
    setting,
    problem: `${value} is out of range`,
    remedy: `Use a whole number from ${minimum} to ${maximum}`,
  });
}

import { Duration } from 'aws-cdk-lib';
import { Architecture, RecursiveLoop } from 'aws-cdk-lib/aws-lambda';
import { assertNoRenamedSettings } from '../../core/checks/renamed-settings.ts';
import { SagaboxError } from '../../core/failures/errors.ts';
import { limits } from '../../core/limits.ts';
import { defaultDeduplicationPeriod } from '../../core/storage/table-defaults.ts';
import { assertRange } from '../assert-range.ts';
import { claimCheckOf } from '../claim-check/claim-check.ts';
import { hasRelayIndex, MessagingTable } from '../tables/messaging-table.ts';
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
/** What Lambda uses for a function that sets no timeout. */
export const unsetFunctionTimeout = Duration.seconds(3);

const OWN_VARIABLE_PREFIX = 'SAGABOX_';

/** Refuses what no endpoint could work with, whatever its other settings are. */
export function assertEndpointSettings(props: MessageEndpointProps): void {
  assertNoRenamedSettings(props);
  if (props.endpointName === '') {
    throw new SagaboxError('Configuration', {
      setting: 'endpointName',
      problem: 'it is empty',
      remedy: "Leave it out to use the construct's id, or name the endpoint",
    });
  }
  assertRange('batchSize', props.batchSize, { min: 1, max: 10 });
  assertRange('maxConcurrency', props.maxConcurrency, { min: 2, max: 1000 });
  const thresholdBytes = claimCheckOf(props.claimCheck)?.thresholdBytes;
  assertRange('claimCheck.thresholdBytes', thresholdBytes, { min: 1, max: limits.messageBytes });
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

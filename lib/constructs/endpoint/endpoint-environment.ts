import { type Duration, Stack, Tokenization } from 'aws-cdk-lib';
import type { IQueue } from 'aws-cdk-lib/aws-sqs';
import type { Construct } from 'constructs';
import type { LockingMode } from '../../saga/definition/locking.ts';
import {
  accountIdSetting,
  deduplicationPeriodSetting,
  embeddedOutboxSetting,
  endpointSetting,
  errorQueueSetting,
  lockingSetting,
  maxReceiveCountSetting,
} from '../../settings/endpoint.ts';
import { claimCheckSetting, schedulerSetting } from '../../settings/sending.ts';
import { encoded } from '../../settings/setting.ts';
import { outboxTableSetting, sagaTableSetting } from '../../settings/tables.ts';
import { claimCheckReference } from '../claim-check/claim-check.ts';
import type { AnyTable } from '../construct-types.ts';
import { addressOf } from '../destinations/destination-target.ts';
import { tableReference } from '../tables/table-reference.ts';
import type { EndpointSending } from './endpoint-sending.ts';

interface EnvironmentParts extends Construct {
  readonly endpointName: string;
  readonly outboxTable: AnyTable | undefined;
  readonly deduplicationPeriod: Duration;
  /** Undefined for an endpoint that handles no messages, as the other settings of messages are. */
  readonly sagaTable?: AnyTable | undefined;
  readonly locking?: LockingMode;
  readonly embeddedOutbox?: boolean;
  readonly errorQueue?: IQueue | undefined;
}

/** What the constructs tell the runtime; without a `maxReceiveCount` for an endpoint that handles no messages. */
export function endpointEnvironment(
  endpoint: EnvironmentParts,
  { settings, scheduledSends, claimCheck }: EndpointSending,
  maxReceiveCount?: number,
): Record<string, string> {
  const { endpointName, errorQueue, sagaTable, outboxTable, locking, embeddedOutbox } = endpoint;
  const stack = Stack.of(endpoint);
  const deduplicationSeconds = endpoint.deduplicationPeriod.toSeconds();
  return {
    ...encoded(endpointSetting, endpointName),
    ...encoded(accountIdSetting, stack.account),
    ...encoded(maxReceiveCountSetting, maxReceiveCount && Tokenization.stringifyNumber(maxReceiveCount)),
    ...encoded(errorQueueSetting, errorQueue && addressOf(endpoint, errorQueue)),
    ...encoded(sagaTableSetting, sagaTable && tableReference(sagaTable, stack)),
    ...encoded(outboxTableSetting, outboxTable && tableReference(outboxTable, stack)),
    ...encoded(lockingSetting, sagaTable && locking),
    ...encoded(deduplicationPeriodSetting, outboxTable && Tokenization.stringifyNumber(deduplicationSeconds)),
    ...encoded(embeddedOutboxSetting, embeddedOutbox || undefined),
    ...encoded(schedulerSetting, scheduledSends?.setting()),
    ...encoded(claimCheckSetting, claimCheck && claimCheckReference(claimCheck)),
    ...settings.variables,
  };
}

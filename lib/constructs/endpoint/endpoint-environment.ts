import { type Duration, Stack, Tokenization } from 'aws-cdk-lib';
import type { IQueue } from 'aws-cdk-lib/aws-sqs';
import type { Construct } from 'constructs';
import { defined } from '../../core/defined.ts';
import { environmentVariables } from '../../core/environment-variables.ts';
import type { LockingMode } from '../../core/saga/locking.ts';
import { claimCheckJson } from '../claim-check/claim-check.ts';
import type { AnyTable } from '../construct-types.ts';
import { addressOf } from '../destinations/destination-target.ts';
import { tableSetting } from '../tables/table-setting.ts';
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
  const variables: Partial<Record<keyof typeof environmentVariables, string | undefined>> = {
    endpoint: endpointName,
    accountId: stack.account,
    maxReceiveCount:
      maxReceiveCount === undefined ? undefined : Tokenization.stringifyNumber(maxReceiveCount),
    errorQueue: errorQueue && addressOf(endpoint, errorQueue),
    sagaTable: sagaTable && tableSetting(sagaTable, stack),
    outboxTable: outboxTable && tableSetting(outboxTable, stack),
    locking: sagaTable && locking,
    deduplicationPeriodSeconds:
      outboxTable && Tokenization.stringifyNumber(endpoint.deduplicationPeriod.toSeconds()),
    embeddedOutbox: embeddedOutbox ? 'true' : undefined,
    scheduler: scheduledSends?.toJson(),
    claimCheck: claimCheck && claimCheckJson(claimCheck),
  };
  const named = Object.entries(defined(variables)).map(([setting, value]) => [
    environmentVariables[setting as keyof typeof environmentVariables],
    value,
  ]);
  return { ...Object.fromEntries(named), ...settings.variables };
}

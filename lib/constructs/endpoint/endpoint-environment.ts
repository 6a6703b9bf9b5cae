import { Tokenization } from 'aws-cdk-lib';
import type { IQueue } from 'aws-cdk-lib/aws-sqs';
import { defined } from '../../core/defined.ts';
import { environmentVariables } from '../../core/environment-variables.ts';
import type { AnyTable } from '../any-resource.ts';
import { claimCheckJson } from '../claim-check/claim-check.ts';
import { schedulerJson } from '../scheduler/scheduler-access.ts';
import type { EndpointSending } from './endpoint-sending.ts';
import type { EndpointTimings } from './endpoint-timings.ts';

interface EnvironmentParts {
  readonly endpointName: string;
  readonly sagaTable: AnyTable | undefined;
  readonly outboxTable: AnyTable | undefined;
  readonly hasRelayIndex: boolean;
  readonly errorQueue: IQueue | undefined;
}

/** What the constructs tell the runtime. */
export function endpointEnvironment(
  { endpointName, errorQueue, sagaTable, outboxTable, hasRelayIndex }: EnvironmentParts,
  { maxReceiveCount, deduplicationPeriod }: EndpointTimings,
  { destinations, publications, scheduler, claimCheck }: EndpointSending,
): Record<string, string> {
  const variables: Partial<Record<keyof typeof environmentVariables, string | undefined>> = {
    endpoint: endpointName,
    destinations: destinations.toJson(),
    publishTo: publications.toJson(),
    maxReceiveCount: Tokenization.stringifyNumber(maxReceiveCount),
    errorQueue: errorQueue?.queueUrl,
    sagaTable: sagaTable?.tableName,
    outboxTable: outboxTable?.tableName,
    deduplicationPeriodSeconds: outboxTable && Tokenization.stringifyNumber(deduplicationPeriod.toSeconds()),
    relayIndex: hasRelayIndex ? 'true' : undefined,
    scheduler: scheduler && schedulerJson(scheduler),
    claimCheck: claimCheck && claimCheckJson(claimCheck),
  };
  const settings = Object.entries(defined(variables));
  return Object.fromEntries(
    settings.map(([setting, value]) => [
      environmentVariables[setting as keyof typeof environmentVariables],
      value,
    ]),
  );
}

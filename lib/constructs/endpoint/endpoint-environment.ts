import { type Duration, Tokenization } from 'aws-cdk-lib';
import type { IQueue } from 'aws-cdk-lib/aws-sqs';
import { defined } from '../../core/defined.ts';
import { environmentVariables } from '../../core/environment-variables.ts';
import type { AnyTable } from '../any-resource.ts';
import { claimCheckJson } from '../claim-check/claim-check.ts';
import { schedulerJson } from '../scheduler/scheduler-access.ts';
import type { EndpointSending } from './endpoint-sending.ts';

interface EnvironmentParts {
  readonly endpointName: string;
  readonly sagaTable: AnyTable | undefined;
  readonly outboxTable: AnyTable | undefined;
  readonly hasRelayIndex: boolean;
  readonly errorQueue: IQueue | undefined;
  readonly sending: EndpointSending;
  readonly maxReceiveCount: number;
  readonly deduplicationPeriod: Duration;
}

/** What the constructs tell the runtime. */
export function endpointEnvironment(parts: EnvironmentParts): Record<string, string> {
  const { errorQueue, sagaTable, outboxTable } = parts;
  const { destinations, publications, scheduler, claimCheck } = parts.sending;
  const variables: Partial<Record<keyof typeof environmentVariables, string | undefined>> = {
    endpoint: parts.endpointName,
    destinations: destinations.toJson(),
    publishTo: publications.toJson(),
    maxReceiveCount: Tokenization.stringifyNumber(parts.maxReceiveCount),
    errorQueue: errorQueue?.queueUrl,
    sagaTable: sagaTable?.tableName,
    outboxTable: outboxTable?.tableName,
    deduplicationPeriodSeconds:
      outboxTable && Tokenization.stringifyNumber(parts.deduplicationPeriod.toSeconds()),
    relayIndex: parts.hasRelayIndex ? 'true' : undefined,
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

import { type Duration, Token } from 'aws-cdk-lib';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import type { Construct } from 'constructs';
import { resourcesElsewhere } from '../destinations/regions.ts';
import { type SendingParts, sendingFacts } from '../destinations/sending-facts.ts';
import type { MessageSource } from '../subscriptions/subscribed-queue.ts';
import type { AnyTable } from '../tables/any-table.ts';
import { isSameTable } from '../tables/same-table.ts';
import { hasTwoTextKeys } from '../tables/table-keys.ts';
import type { EndpointFacts } from './endpoint-rule.ts';
import type { EndpointTimings } from './endpoint-timings.ts';

/** What the rules look at of an endpoint. */
export interface EndpointParts extends Construct {
  readonly endpointName: string;
  readonly function: IFunction;
  readonly sagaTable: AnyTable | undefined;
  readonly outboxTable: AnyTable | undefined;
}

interface EndpointSurroundings {
  readonly timings: EndpointTimings;
  /** The other endpoints of the app. */
  readonly others: readonly EndpointParts[];
  readonly sending: SendingParts;
  /** What it subscribes to. */
  readonly sources: readonly MessageSource[];
}

/** What is known at synth about an endpoint. */
export function endpointFacts(
  endpoint: EndpointParts,
  { timings, others, sending, sources }: EndpointSurroundings,
): EndpointFacts {
  const namesakes = others.filter(
    (other) =>
      other.endpointName === endpoint.endpointName && isSameTable(other.outboxTable, endpoint.outboxTable),
  );
  const sharers = others.filter((other) => other.function === endpoint.function);
  const tables = [...new Set([endpoint.sagaTable, endpoint.outboxTable])];
  return {
    endpointName: isKnown(endpoint.endpointName) ? endpoint.endpointName : undefined,
    functionTimeoutSeconds: knownSeconds(timings.functionTimeout),
    visibilityTimeoutSeconds: knownSeconds(timings.visibilityTimeout),
    retentionSeconds: knownSeconds(timings.retention),
    deadLetterRetentionSeconds: knownSeconds(timings.deadLetterRetention),
    deduplicationSeconds:
      endpoint.outboxTable === undefined ? undefined : knownSeconds(timings.deduplicationPeriod),
    maxReceiveCount: isKnown(timings.maxReceiveCount) ? timings.maxReceiveCount : undefined,
    namesakes: namesakes.map((other) => other.node.path),
    functionSharers: sharers.map((other) => other.node.path),
    tablesWithUnusableKeys: tables
      .filter((table) => table !== undefined && !hasTwoTextKeys(table))
      .map(pathOf),
    sourcesElsewhere: resourcesElsewhere(endpoint, sources).map(({ node }) => node.path),
    ...sendingFacts(sending),
  };
}

function pathOf(table: AnyTable | undefined): string {
  return table?.node.path ?? '';
}

function knownSeconds(duration: Duration): number | undefined {
  return duration.isUnresolved() ? undefined : duration.toSeconds();
}

function isKnown(value: unknown): boolean {
  return !Token.isUnresolved(value);
}

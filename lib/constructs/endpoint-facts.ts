import { type Duration, Token } from 'aws-cdk-lib';
import { type Attribute, AttributeType, Table } from 'aws-cdk-lib/aws-dynamodb';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import type { Node } from 'constructs';
import type { AnyTable } from './any-table.ts';
import type { EndpointFacts } from './endpoint-rule.ts';
import type { EndpointTimings } from './endpoint-timings.ts';
import { type SendingParts, sendingFacts } from './sending-facts.ts';

/** What the rules look at of an endpoint. */
export interface EndpointParts {
  readonly node: Node;
  readonly endpointName: string;
  readonly function: IFunction;
  readonly sagaTable: AnyTable | undefined;
  readonly outboxTable: AnyTable | undefined;
}

/** What is known at synth about an endpoint, among the `others` of its app. */
export function endpointFacts(
  endpoint: EndpointParts,
  timings: EndpointTimings,
  others: readonly EndpointParts[],
  sending: SendingParts,
): EndpointFacts {
  const namesakes = others.filter(
    (other) =>
      other.endpointName === endpoint.endpointName && sameTable(other.outboxTable, endpoint.outboxTable),
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
      endpoint.outboxTable === undefined ? undefined : knownSeconds(timings.timeToKeepDeduplicationData),
    maxReceiveCount: isKnown(timings.maxReceiveCount) ? timings.maxReceiveCount : undefined,
    namesakes: namesakes.map((other) => other.node.path),
    functionSharers: sharers.map((other) => other.node.path),
    tablesWithUnusableKeys: tables
      .filter((table) => table !== undefined && !hasTwoTextKeys(table))
      .map(pathOf),
    ...sendingFacts(sending),
  };
}

function sameTable(one: AnyTable | undefined, other: AnyTable | undefined): boolean {
  return one !== undefined && one === other;
}

/** The keys of a table that was not made here are not known, and are taken to be right. */
function hasTwoTextKeys(table: AnyTable): boolean {
  if (!(table instanceof Table)) return true;
  const { partitionKeys, sortKeys } = table.schemaV2();
  return isOneText(partitionKeys) && isOneText(sortKeys);
}

function isOneText(attributes: readonly Attribute[]): boolean {
  return attributes.length === 1 && attributes[0]?.type === AttributeType.STRING;
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

import type { Duration } from 'aws-cdk-lib';
import { CfnEventSourceMapping, CfnFunction, type IFunction } from 'aws-cdk-lib/aws-lambda';
import { type IQueue, QueueEncryption } from 'aws-cdk-lib/aws-sqs';
import type { Construct } from 'constructs';
import type { AnyFunction, AnyTable } from '../any-resource.ts';
import { isKnown } from '../assert-range.ts';
import { certainlySameTarget, isTopic } from '../destinations/destination-target.ts';
import { resourcesElsewhere } from '../destinations/regions.ts';
import { isInAnotherAccount } from '../subscriptions/other-accounts.ts';
import type { MessageSource } from '../subscriptions/subscribed-queue.ts';
import type { EndpointSending } from './endpoint-sending.ts';
import { type EndpointTimings, secondsOfEach } from './endpoint-timings.ts';
import type { EndpointSettings } from './message-endpoint-props.ts';
import { pathsOf, type SendingFacts, sendingFacts } from './sending-facts.ts';
import { otherEndpointsOf } from './served-endpoints.ts';

/**
 * What the rules judge. A value that is known only at deployment is undefined, and its rules do not apply.
 */
export interface EndpointFacts extends SendingFacts {
  readonly functionTimeoutSeconds: number | undefined;
  readonly visibilityTimeoutSeconds: number | undefined;
  readonly retentionSeconds: number | undefined;
  /** Of the dead letter queue or the error queue, whichever keeps messages longer. */
  readonly deadLetterRetentionSeconds: number | undefined;
  /** Of whichever of them keeps messages shorter. */
  readonly shortestDeadLetterRetentionSeconds: number | undefined;
  /** Also undefined when the endpoint has no outbox, and remembers nothing. */
  readonly deduplicationSeconds: number | undefined;
  readonly maxBatchingWindowSeconds: number | undefined;
  /** The other endpoints that were given the same function. */
  readonly functionSharers: readonly string[];
  /** The event sources of the function that take a batch for handled whatever of it failed. */
  readonly sourcesWithoutFailures: readonly string[];
  /** The queues that topics and event buses send to, and whose key does not let them. */
  readonly queuesClosedToSources: readonly string[];
  /** The other endpoints that receive from the same queue. */
  readonly queueSharers: readonly string[];
  /** The other endpoints that receive from the error queue. */
  readonly errorQueueReceivers: readonly string[];
  /** Also undefined when none is set. */
  readonly maxConcurrency: number | undefined;
  /** Also undefined when none is reserved, and when the endpoint is stopped: not enabled, or 0 reserved. */
  readonly reservedConcurrency: number | undefined;
  /** The topics and event buses of other regions that the endpoint subscribes to. */
  readonly sourcesElsewhere: readonly string[];
  /** The event buses of other accounts that the endpoint subscribes to. */
  readonly busesOfOtherAccounts: readonly string[];
}

/** @returns cause and remedy when the rule is violated, or those of each setting that violates it */
export type Rule<Facts = EndpointFacts> = (facts: Facts) => string | readonly string[] | undefined;

/** What the rules look at of an endpoint. */
interface EndpointParts extends Construct {
  readonly endpointName: string;
  readonly function: IFunction;
  readonly alias: AnyFunction | undefined;
  readonly queue: IQueue;
  readonly deadLetterQueue: IQueue | undefined;
  readonly errorQueue: IQueue | undefined;
  readonly outboxTable: AnyTable | undefined;
}

interface EndpointSurroundings {
  readonly timings: EndpointTimings;
  readonly settings: Pick<EndpointSettings, 'enabled' | 'maxConcurrency'>;
  /** The other endpoints of the app. */
  readonly others: readonly EndpointParts[];
  readonly sending: EndpointSending;
  /** What it subscribes to. */
  readonly sources: readonly MessageSource[];
}

/** What is known at synth about an endpoint. */
export function endpointFacts(
  endpoint: EndpointParts,
  { timings, settings, others, sending, sources }: EndpointSurroundings,
): EndpointFacts {
  const failureSeconds = secondsOfEach(timings.failureRetentions);
  return {
    ...sendingFacts(endpoint, sending),
    functionTimeoutSeconds: knownSeconds(timings.functionTimeout),
    visibilityTimeoutSeconds: knownSeconds(timings.visibilityTimeout),
    retentionSeconds: knownSeconds(timings.retention),
    deadLetterRetentionSeconds: failureSeconds?.at(-1),
    shortestDeadLetterRetentionSeconds: failureSeconds?.at(0),
    deduplicationSeconds: endpoint.outboxTable && knownSeconds(timings.deduplicationPeriod),
    maxBatchingWindowSeconds: timings.maxBatchingWindow && knownSeconds(timings.maxBatchingWindow),
    functionSharers: pathsOf(otherEndpointsOf(endpoint.function, endpoint)),
    sourcesWithoutFailures: pathsOf(sourcesWithoutFailures(endpoint)),
    queuesClosedToSources: sources.length === 0 ? [] : pathsOf(queuesWithManagedKey(endpoint)),
    queueSharers: pathsOf(others.filter((other) => certainlySameTarget(other.queue, endpoint.queue))),
    errorQueueReceivers: pathsOf(
      others.filter(({ queue }) => endpoint.errorQueue && certainlySameTarget(queue, endpoint.errorQueue)),
    ),
    maxConcurrency: knownNumber(settings.maxConcurrency),
    reservedConcurrency:
      settings.enabled === false ? undefined : reservedConcurrencyOf(endpoint.function) || undefined,
    sourcesElsewhere: pathsOf(resourcesElsewhere(endpoint, sources)),
    busesOfOtherAccounts: pathsOf(
      sources.filter((source) => !isTopic(source) && isInAnotherAccount(endpoint, source)),
    ),
  };
}

/** Those of an app, on the function or its alias. */
function sourcesWithoutFailures(endpoint: EndpointParts): CfnEventSourceMapping[] {
  const names = [endpoint.function.functionName, endpoint.alias?.functionName];
  return endpoint.node.root.node
    .findAll()
    .filter((construct) => construct instanceof CfnEventSourceMapping)
    .filter(
      ({ functionName, functionResponseTypes = [] }) =>
        names.includes(functionName) && !functionResponseTypes.includes('ReportBatchItemFailures'),
    );
}

function queuesWithManagedKey({ queue, deadLetterQueue }: EndpointParts): IQueue[] {
  return [queue, deadLetterQueue]
    .filter((each) => each !== undefined)
    .filter(({ encryptionType }) => encryptionType === QueueEncryption.KMS_MANAGED);
}

function reservedConcurrencyOf({ node }: IFunction): number | undefined {
  const resource = node.defaultChild;
  return resource instanceof CfnFunction ? knownNumber(resource.reservedConcurrentExecutions) : undefined;
}

function knownNumber(value: number | undefined): number | undefined {
  return value !== undefined && isKnown(value) ? value : undefined;
}

function knownSeconds(duration: Duration): number | undefined {
  return duration.isUnresolved() ? undefined : duration.toSeconds();
}

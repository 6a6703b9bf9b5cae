import type { IQueue } from 'aws-cdk-lib/aws-sqs';
import type { AnyFunction, AnyTable } from '../construct-types.ts';
import { certainlySameTarget, isTopic } from '../destinations/destination-target.ts';
import { hasManagedKey } from '../destinations/managed-keys.ts';
import { resourcesElsewhere } from '../destinations/regions.ts';
import { isInAnotherAccount } from '../subscriptions/other-accounts.ts';
import type { MessageSource } from '../subscriptions/subscribed-queue.ts';
import type { EndpointSending } from './endpoint-sending.ts';
import type { EndpointTimings } from './endpoint-timings.ts';
import { otherConsumers, sourcesWithoutFailures, transformingRules } from './event-sources.ts';
import { type RenderedEndpoint, type RenderedSettings, renderedSettings } from './rendered-settings.ts';
import { pathsOf, type SendingFacts, sendingFacts } from './sending-facts.ts';
import { otherEndpointsOf } from './served-endpoints.ts';

/** What the rules judge. A value that is known only at deployment is undefined, and its rules do not apply. */
export interface EndpointFacts extends SendingFacts, RenderedSettings {
  /** The other endpoints that were given the same function. */
  readonly functionSharers: readonly string[];
  /** The event sources of the function that take a batch for handled whatever of it failed. */
  readonly sourcesWithoutFailures: readonly string[];
  /** The mappings and pipes that take messages from the queue before the endpoint sees them. */
  readonly otherConsumers: readonly string[];
  /** The rules of EventBridge that send something else than their events to the queue. */
  readonly transformingRules: readonly string[];
  /** The queues that topics and event buses send to, and whose key does not let them. */
  readonly queuesClosedToSources: readonly string[];
  /** The other endpoints that receive from the same queue. */
  readonly queueSharers: readonly string[];
  /** The other endpoints that receive from the error queue. */
  readonly errorQueueReceivers: readonly string[];
  /** The topics and event buses of other regions that the endpoint subscribes to. */
  readonly sourcesElsewhere: readonly string[];
  /** The event buses of other accounts that the endpoint subscribes to. */
  readonly busesOfOtherAccounts: readonly string[];
}

/** @returns cause and remedy when the rule is violated, or those of each setting that violates it */
export type Rule<Facts = EndpointFacts> = (facts: Facts) => string | readonly string[] | undefined;

/** What the rules look at of an endpoint. */
interface EndpointParts extends RenderedEndpoint {
  readonly endpointName: string;
  readonly alias: AnyFunction | undefined;
  readonly outboxTable: AnyTable | undefined;
}

interface EndpointSurroundings {
  readonly timings: EndpointTimings;
  /** The other endpoints of the app. */
  readonly others: readonly EndpointParts[];
  readonly sending: EndpointSending;
  /** What it subscribes to. */
  readonly sources: readonly MessageSource[];
  /** Where that goes, and what cannot be delivered. */
  readonly receivingQueues: readonly IQueue[];
}

/** What is known at synth about an endpoint. */
export function endpointFacts(
  endpoint: EndpointParts,
  { timings, others, sending, sources, receivingQueues }: EndpointSurroundings,
): EndpointFacts {
  return {
    ...sendingFacts(endpoint, sending),
    ...renderedSettings(endpoint, timings),
    functionSharers: pathsOf(otherEndpointsOf(endpoint.function, endpoint)),
    sourcesWithoutFailures: pathsOf(sourcesWithoutFailures(endpoint)),
    otherConsumers: pathsOf(otherConsumers(endpoint, others)),
    transformingRules: pathsOf(transformingRules(endpoint)),
    queuesClosedToSources: pathsOf(receivingQueues.filter((queue) => hasManagedKey(queue))),
    queueSharers: pathsOf(others.filter((other) => certainlySameTarget(other.queue, endpoint.queue))),
    errorQueueReceivers: pathsOf(
      others.filter(({ queue }) => endpoint.errorQueue && certainlySameTarget(queue, endpoint.errorQueue)),
    ),
    sourcesElsewhere: pathsOf(resourcesElsewhere(endpoint, sources)),
    busesOfOtherAccounts: pathsOf(
      sources.filter((source) => !isTopic(source) && isInAnotherAccount(endpoint, source)),
    ),
  };
}

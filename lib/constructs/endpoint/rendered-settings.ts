import type { Duration } from 'aws-cdk-lib';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import type { IQueue } from 'aws-cdk-lib/aws-sqs';
import type { Construct } from 'constructs';
import { deduplicationPeriodSetting, maxReceiveCountSetting } from '../../settings/endpoint.ts';
import {
  isRenderedFalse,
  isUnset,
  renderedNumber,
  renderedObject,
  renderedProperties,
} from '../rendered-properties.ts';
import { unsetFunctionTimeout } from './endpoint-settings.ts';
import type { EndpointTimings } from './endpoint-timings.ts';
import { unsetRetention, unsetVisibilityTimeout } from './existing-queue.ts';

/**
 * Settings that take effect at an endpoint: those of the templates, which an aspect or an escape hatch may have set.
 * A value that is known only at deployment is undefined.
 */
export interface RenderedSettings {
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
  /** Also undefined when none is set. */
  readonly maxConcurrency: number | undefined;
  /** Also undefined when none is reserved, and when the endpoint is stopped: not enabled, or 0 reserved. */
  readonly reservedConcurrency: number | undefined;
  /** Also true for a queue that is imported, of which it is not known. */
  readonly hasDeadLetterQueue: boolean;
  /** What the queue lets a message be received; `undefined` also for a queue that is imported. */
  readonly maxReceiveCount: number | undefined;
  /** The number that the function knows. */
  readonly maxReceiveCountFromEnvironment: number | undefined;
}

/** What is looked at of an endpoint. */
export interface RenderedEndpoint extends Construct {
  readonly function: IFunction;
  readonly queue: IQueue;
  readonly deadLetterQueue: IQueue | undefined;
  readonly errorQueue: IQueue | undefined;
}

/** Construct id of the mapping that consumes the queue. */
export const eventSourceId = 'EventSource';

/** @param assumed the timings of an imported queue */
export function renderedSettings(endpoint: RenderedEndpoint, assumed: EndpointTimings): RenderedSettings {
  const handler = renderedProperties(endpoint.function) ?? {};
  const variables = renderedObject(renderedObject(handler.Environment).Variables);
  const queue = renderedProperties(endpoint.queue, endpoint.queue.queueArn);
  const mapping = renderedProperties(endpoint.node.tryFindChild(eventSourceId)) ?? {};
  const failures = failureRetentions(endpoint, assumed);
  const isStopped = isRenderedFalse(mapping.Enabled);
  return {
    functionTimeoutSeconds: renderedTimeoutSeconds(endpoint.function),
    visibilityTimeoutSeconds: queue
      ? renderedNumber(queue.VisibilityTimeout, unsetVisibilityTimeout.toSeconds())
      : knownSeconds(assumed.visibilityTimeout),
    retentionSeconds: retentionOf(queue) ?? (queue ? undefined : knownSeconds(assumed.retention)),
    deadLetterRetentionSeconds: failures && Math.max(...failures),
    shortestDeadLetterRetentionSeconds: failures && Math.min(...failures),
    deduplicationSeconds: renderedNumber(variables[deduplicationPeriodSetting.variable]),
    maxBatchingWindowSeconds: renderedNumber(mapping.MaximumBatchingWindowInSeconds),
    maxConcurrency: renderedNumber(renderedObject(mapping.ScalingConfig).MaximumConcurrency),
    reservedConcurrency: isStopped
      ? undefined
      : renderedNumber(handler.ReservedConcurrentExecutions) || undefined,
    hasDeadLetterQueue: queue === undefined || !isUnset(queue.RedrivePolicy),
    maxReceiveCount: renderedNumber(renderedObject(queue?.RedrivePolicy).maxReceiveCount),
    maxReceiveCountFromEnvironment: renderedNumber(variables[maxReceiveCountSetting.variable]),
  };
}

/** Timeout of a function of the app; `undefined` if it is known only at deployment. */
export function renderedTimeoutSeconds(handler: IFunction): number | undefined {
  return renderedNumber(renderedProperties(handler)?.Timeout, unsetFunctionTimeout.toSeconds());
}

/** Undefined while one of them is known only at deployment. */
function failureRetentions(
  { deadLetterQueue, errorQueue, queue }: RenderedEndpoint,
  assumed: EndpointTimings,
): readonly number[] | undefined {
  const assumedSeconds = knownSeconds(assumed.deadLetterRetention);
  const queues = [deadLetterQueue, errorQueue].filter((each) => each !== undefined);
  const retentions = queues.map((each) => {
    const rendered = renderedProperties(each, each.queueArn);
    return rendered ? retentionOf(rendered) : assumedSeconds;
  });
  // That of an imported queue may not be known; it is there all the same.
  if (deadLetterQueue === undefined && renderedProperties(queue, queue.queueArn) === undefined)
    retentions.push(assumedSeconds);
  const known = retentions.filter((each) => each !== undefined);
  return known.length < retentions.length || known.length === 0 ? undefined : known;
}

function retentionOf(queue: Readonly<Record<string, unknown>> | undefined): number | undefined {
  return queue && renderedNumber(queue.MessageRetentionPeriod, unsetRetention.toSeconds());
}

function knownSeconds(duration: Duration): number | undefined {
  return duration.isUnresolved() ? undefined : duration.toSeconds();
}

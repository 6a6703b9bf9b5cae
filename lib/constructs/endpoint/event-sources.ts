import type { CfnResource } from 'aws-cdk-lib';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import type { IQueue } from 'aws-cdk-lib/aws-sqs';
import type { Construct } from 'constructs';
import type { AnyFunction } from '../construct-types.ts';
import { certainlySameTarget } from '../destinations/destination-target.ts';
import { isUnset, renderedObject, renderedProperties, resourceOf } from '../rendered-properties.ts';
import {
  consumersOf,
  isValue,
  mayBeStopped,
  type Rendered,
  refersTo,
  renderedOfTypes,
} from '../rendered-references.ts';
import { eventSourceId } from './rendered-settings.ts';

interface InvokedEndpoint extends Construct {
  readonly function: IFunction;
  readonly alias: AnyFunction | undefined;
  readonly queue: IQueue;
}

/** Properties of the sources that know no partial batch responses: Kafka, MQ, DocumentDB. */
const sourcesWithoutPartialBatches = [
  'AmazonManagedKafkaEventSourceConfig',
  'DocumentDBEventSourceConfig',
  'Queues',
  'SelfManagedEventSource',
  'Topics',
];

/**
 * Event source mappings on the function of an endpoint, or on an alias or a version of it, that take a batch for handled
 * whatever of it failed. Source: "EventSourceMapping" in the AWS Lambda API Reference (FunctionResponseTypes).
 */
export function sourcesWithoutFailures(endpoint: InvokedEndpoint): CfnResource[] {
  const { function: handler, alias } = endpoint;
  const names = [handler.functionName, handler.functionArn, alias?.functionArn];
  const ownResource = resourceOf(handler);
  const published = renderedOfTypes(endpoint, 'AWS::Lambda::Alias', 'AWS::Lambda::Version')
    .filter(({ resource, properties }) => refersTo(resource, properties.FunctionName, ownResource))
    .map(({ resource }) => resource);
  return renderedOfTypes(endpoint, 'AWS::Lambda::EventSourceMapping')
    .filter(
      ({ resource, properties: { FunctionName } }) =>
        [ownResource, ...published].some((each) => refersTo(resource, FunctionName, each)) ||
        names.some((name) => name !== undefined && isValue(resource, FunctionName, name, handler)),
    )
    .filter(({ properties }) => {
      if (mayBeStopped(properties)) return false;
      if (sourcesWithoutPartialBatches.some((name) => properties[name] !== undefined)) return false;
      const { FunctionResponseTypes: types } = properties;
      return isUnset(types) || (Array.isArray(types) && !types.includes('ReportBatchItemFailures'));
    })
    .map(({ resource }) => resource);
}

/**
 * Mappings and pipes of the app that take messages from the queue of an endpoint, and are not its own. That of another
 * endpoint is reported as such; one that is stopped, or that a condition may leave out, is for its user to judge, and so
 * are all while the endpoint itself is stopped.
 */
export function otherConsumers(endpoint: InvokedEndpoint, others: readonly InvokedEndpoint[]): CfnResource[] {
  const { queue, node } = endpoint;
  if (mayBeStopped(renderedProperties(node.tryFindChild(eventSourceId)) ?? {})) return [];
  const sharers = others.filter((other) => certainlySameTarget(other.queue, queue));
  return consumersOf(queue, queue.queueArn)
    .filter(
      ({ resource, properties }) => !mayBeStopped(properties) && resource.cfnOptions.condition === undefined,
    )
    .map(({ resource }) => resource)
    .filter((consumer) => ![endpoint, ...sharers].some((known) => consumer.node.scopes.includes(known)));
}

/**
 * Rules of EventBridge that send parts of their events to the queue of an endpoint, or a text of their own. Source:
 * "AWS::Events::Rule Target" (Input, InputPath, InputTransformer).
 */
export function transformingRules({ queue }: InvokedEndpoint): CfnResource[] {
  const transforms = ({ resource, properties: { Targets } }: Rendered) =>
    (Array.isArray(Targets) ? Targets.map(renderedObject) : []).some(
      ({ Arn, Input, InputPath, InputTransformer }) =>
        (Input ?? InputPath ?? InputTransformer) !== undefined &&
        isValue(resource, Arn, queue.queueArn, queue),
    );
  return renderedOfTypes(queue, 'AWS::Events::Rule')
    .filter(transforms)
    .map(({ resource }) => resource);
}

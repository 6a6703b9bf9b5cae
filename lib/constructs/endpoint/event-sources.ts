import { CfnResource, Stack } from 'aws-cdk-lib';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import type { IQueue } from 'aws-cdk-lib/aws-sqs';
import type { Construct, IConstruct } from 'constructs';
import type { AnyFunction } from '../construct-types.ts';
import { certainlySameTarget } from '../destinations/destination-target.ts';
import { isInPlaceOf } from '../places.ts';
import { referenceTargets } from '../reference-targets.ts';
import { type RenderedProperties, renderedProperties } from '../rendered-properties.ts';

interface InvokedEndpoint extends Construct {
  readonly function: IFunction;
  readonly alias: AnyFunction | undefined;
  readonly queue: IQueue;
}

const mappingType = 'AWS::Lambda::EventSourceMapping';

/** What takes messages from a queue, with the L1 property that names the queue. */
const consumerTypes: Readonly<Record<string, string>> = {
  [mappingType]: 'eventSourceArn',
  'AWS::Pipes::Pipe': 'source',
};

/** Properties of the sources that know no partial batch responses: Kafka, MQ, DocumentDB. */
const sourcesWithoutPartialBatches = [
  'AmazonManagedKafkaEventSourceConfig',
  'DocumentDBEventSourceConfig',
  'Queues',
  'SelfManagedEventSource',
  'Topics',
];

/**
 * Event source mappings on the function of an endpoint, or on its alias, that take a batch for handled whatever of it
 * failed. Source: "EventSourceMapping" in the AWS Lambda API Reference (FunctionResponseTypes).
 */
export function sourcesWithoutFailures({ node, function: handler, alias }: InvokedEndpoint): CfnResource[] {
  const targets = [handler, alias].map((each) => each?.node.defaultChild);
  return resourcesOf(node.root)
    .filter((mapping) => mapping.cfnResourceType === mappingType && leadsTo(mapping, 'functionName', targets))
    .filter((mapping) => {
      const rendered = renderedProperties(mapping) ?? {};
      if (sourcesWithoutPartialBatches.some((name) => rendered[name] !== undefined)) return false;
      const { FunctionResponseTypes: types } = rendered;
      return !(Array.isArray(types) && types.includes('ReportBatchItemFailures'));
    });
}

/**
 * Mappings and pipes of the app that take messages from the queue of an endpoint, and are not its own. That of another
 * endpoint is reported as such.
 */
export function otherConsumers(endpoint: InvokedEndpoint, others: readonly InvokedEndpoint[]): CfnResource[] {
  const { queue } = endpoint;
  const sharers = others.filter((other) => certainlySameTarget(other.queue, queue));
  return resourcesOf(endpoint.node.root)
    .filter((consumer) => {
      const property = consumerTypes[consumer.cfnResourceType];
      if (property === undefined) return false;
      // Stacks of two places may import one name, which is another queue in each.
      const isNamed = isInPlaceOf(consumer, queue) && propertyOf(consumer, property) === queue.queueArn;
      return isNamed || leadsTo(consumer, property, [queue.node.defaultChild]);
    })
    .filter(({ node }) => ![endpoint, ...sharers].some((known) => node.scopes.includes(known)));
}

/**
 * Rules of EventBridge, in the account and region of an endpoint, that send parts of their events to its queue, or a text
 * of their own. Source: "AWS::Events::Rule Target" (Input, InputPath, InputTransformer).
 */
export function transformingRules({ node, queue }: InvokedEndpoint): CfnResource[] {
  return resourcesOf(node.root).filter((rule) => {
    if (rule.cfnResourceType !== 'AWS::Events::Rule' || !isInPlaceOf(rule, queue)) return false;
    const { Targets: targets = [] } = renderedProperties(rule) ?? {};
    const arn = JSON.stringify(Stack.of(rule).resolve(queue.queueArn));
    return (targets as readonly RenderedProperties[]).some(
      ({ Arn, Input, InputPath, InputTransformer }) =>
        JSON.stringify(Arn) === arn && (Input ?? InputPath ?? InputTransformer) !== undefined,
    );
  });
}

function resourcesOf({ node }: IConstruct): CfnResource[] {
  return node.findAll().filter((construct) => CfnResource.isCfnResource(construct));
}

/** Whether a property of a resource refers to one of these; what it knows by its name alone is not seen. */
function leadsTo(
  resource: CfnResource,
  property: string,
  targets: readonly (IConstruct | undefined)[],
): boolean {
  const found = referenceTargets(resource, propertyOf(resource, property));
  return targets.some((target) => target !== undefined && found.has(target));
}

function propertyOf(resource: CfnResource, property: string): unknown {
  return (resource as unknown as Readonly<Record<string, unknown>>)[property];
}

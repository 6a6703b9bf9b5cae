import { CfnResource, Stack } from 'aws-cdk-lib';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import type { IQueue } from 'aws-cdk-lib/aws-sqs';
import type { Construct, IConstruct } from 'constructs';
import type { AnyFunction } from '../construct-types.ts';
import { certainlySameTarget } from '../destinations/destination-target.ts';
import { outermostStack } from '../destinations/stack-graph.ts';
import { isNameless } from '../reference-targets.ts';
import {
  isRenderedTrue,
  isUnset,
  type RenderedProperties,
  renderedObject,
  renderedProperties,
  resourceOf,
} from '../rendered-properties.ts';
import { eventSourceId } from './rendered-settings.ts';

interface InvokedEndpoint extends Construct {
  readonly function: IFunction;
  readonly alias: AnyFunction | undefined;
  readonly queue: IQueue;
}

interface Rendered {
  readonly resource: CfnResource;
  readonly properties: RenderedProperties;
}

const mappingType = 'AWS::Lambda::EventSourceMapping';
const pipeType = 'AWS::Pipes::Pipe';
const ruleType = 'AWS::Events::Rule';
const aliasTypes = ['AWS::Lambda::Alias', 'AWS::Lambda::Version'];

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
export function sourcesWithoutFailures({ node, function: handler, alias }: InvokedEndpoint): CfnResource[] {
  const { [mappingType]: mappings = [], aliases = [] } = resourcesOf(node.root);
  const names = [handler.functionName, handler.functionArn, alias?.functionArn];
  const ownResource = resourceOf(handler);
  const published = aliases
    .filter(({ resource, properties }) => refersTo(resource, properties.FunctionName, ownResource))
    .map(({ resource }) => resource);
  return mappings
    .filter(
      ({ resource, properties: { FunctionName } }) =>
        [ownResource, ...published].some((each) => refersTo(resource, FunctionName, each)) ||
        names.some((name) => name !== undefined && isValue(resource, FunctionName, name, handler)),
    )
    .filter(({ properties }) => {
      if (isStopped(properties)) return false;
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
  if (isStopped(renderedProperties(node.tryFindChild(eventSourceId)) ?? {})) return [];
  const sharers = others.filter((other) => certainlySameTarget(other.queue, queue));
  const { [mappingType]: mappings = [], [pipeType]: pipes = [] } = resourcesOf(node.root);
  const consumers = [
    ...mappings.filter(({ resource, properties: { EventSourceArn } }) =>
      isValue(resource, EventSourceArn, queue.queueArn, queue),
    ),
    ...pipes.filter(({ resource, properties: { Source } }) =>
      isValue(resource, Source, queue.queueArn, queue),
    ),
  ];
  return consumers
    .filter(
      ({ resource, properties }) => !isStopped(properties) && resource.cfnOptions.condition === undefined,
    )
    .map(({ resource }) => resource)
    .filter((consumer) => ![endpoint, ...sharers].some((known) => consumer.node.scopes.includes(known)));
}

/**
 * Rules of EventBridge that send parts of their events to the queue of an endpoint, or a text of their own. Source:
 * "AWS::Events::Rule Target" (Input, InputPath, InputTransformer).
 */
export function transformingRules({ node, queue }: InvokedEndpoint): CfnResource[] {
  const { [ruleType]: rules = [] } = resourcesOf(node.root);
  const transforms = ({ resource, properties: { Targets } }: Rendered) =>
    (Array.isArray(Targets) ? Targets.map(renderedObject) : []).some(
      ({ Arn, Input, InputPath, InputTransformer }) =>
        (Input ?? InputPath ?? InputTransformer) !== undefined &&
        isValue(resource, Arn, queue.queueArn, queue),
    );
  return rules.filter(transforms).map(({ resource }) => resource);
}

/** Of one synth, whose rules run one after another without a pause. */
const known = new WeakMap<IConstruct, Readonly<Record<string, Rendered[]>>>();

/** The resources of an app that are looked at here, by type; aliases and versions under `aliases`. */
function resourcesOf(root: IConstruct): Readonly<Record<string, Rendered[]>> {
  const found = known.get(root);
  if (found !== undefined) return found;
  const made: Record<string, Rendered[]> = {};
  for (const resource of root.node.findAll()) {
    if (!CfnResource.isCfnResource(resource)) continue;
    const { cfnResourceType: type } = resource;
    const key = aliasTypes.includes(type) ? 'aliases' : type;
    if (![mappingType, pipeType, ruleType, 'aliases'].includes(key)) continue;
    made[key] = [...(made[key] ?? []), { resource, properties: renderedProperties(resource) ?? {} }];
  }
  known.set(root, made);
  queueMicrotask(() => known.delete(root));
  return made;
}

/** Also of one that a value known only at deployment may stop. */
function isStopped({ Enabled, DesiredState }: RenderedProperties): boolean {
  return !(isUnset(Enabled) || isRenderedTrue(Enabled)) || DesiredState === 'STOPPED';
}

/** Whether a rendered property of a resource has a reference to another resource of the same stack. */
function refersTo(resource: CfnResource, rendered: unknown, target: CfnResource | undefined): boolean {
  if (target === undefined || Stack.of(resource) !== Stack.of(target)) return false;
  const id = JSON.stringify(Stack.of(target).resolve(target.logicalId));
  const text = JSON.stringify(rendered ?? '');
  return text.includes(`{"Ref":${id}}`) || text.includes(`{"Fn::GetAtt":[${id},`);
}

/** Whether a rendered property of a resource is the value of another construct, which may be of another stack. */
function isValue(resource: CfnResource, rendered: unknown, value: string, owner: IConstruct): boolean {
  const [own, other] = [Stack.of(resource), Stack.of(resourceOf(owner, value) ?? owner)];
  const mayBeIt =
    own === other || outermostStack(own) === outermostStack(other)
      ? own === other || !isOfOwnStack(rendered)
      : isImport(rendered) || namesItsPlace(rendered);
  return mayBeIt && isResolved(own, rendered, value);
}

/** Whether it is a reference to a resource, which has a logical id of the same stack; nested stacks have parameters for others. */
function isOfOwnStack(rendered: unknown): boolean {
  const { Ref: id, 'Fn::GetAtt': attribute } = renderedObject(rendered);
  return attribute !== undefined || (typeof id === 'string' && !id.startsWith('referenceto'));
}

function isImport(rendered: unknown): boolean {
  const { 'Fn::ImportValue': exported, 'Fn::GetStackOutput': output } = renderedObject(rendered);
  return (exported ?? output) !== undefined;
}

/** A name, or an ARN of pseudo parameters, is something else in each place that stacks are deployed to. */
function namesItsPlace(rendered: unknown): boolean {
  return typeof rendered === 'string' && /^arn:[^:]*:[^:]*:[^:]+:[^:]+:/.test(rendered);
}

function isResolved(stack: Stack, rendered: unknown, value: string): boolean {
  try {
    return JSON.stringify(rendered) === JSON.stringify(stack.resolve(value));
  } catch (error) {
    if (isNameless(error)) return false;
    throw error;
  }
}

import { CfnResource, Stack } from 'aws-cdk-lib';
import type { IConstruct } from 'constructs';
import { outermostStack } from './destinations/stack-graph.ts';
import { isNameless } from './reference-targets.ts';
import {
  isRenderedTrue,
  isUnset,
  type RenderedProperties,
  renderedObject,
  renderedProperties,
  resourceOf,
} from './rendered-properties.ts';

/** A resource with the properties that the template will show. */
export interface Rendered {
  readonly resource: CfnResource;
  readonly properties: RenderedProperties;
}

const indexedTypes = [
  'AWS::Events::Rule',
  'AWS::Lambda::Alias',
  'AWS::Lambda::EventSourceMapping',
  'AWS::Lambda::Version',
  'AWS::Pipes::Pipe',
] as const;

type IndexedType = (typeof indexedTypes)[number];
type Index = ReadonlyMap<string, readonly Rendered[]>;

/** Of one synth, whose rules run one after another without a pause. */
const indexes = new WeakMap<IConstruct, Index>();

/** The resources of these types in the app of a construct, each rendered once in a synth. */
export function renderedOfTypes({ node }: IConstruct, ...types: readonly IndexedType[]): Rendered[] {
  const index = indexes.get(node.root) ?? indexOf(node.root);
  return types.flatMap((type) => index.get(type) ?? []);
}

function indexOf(root: IConstruct): Index {
  const index = new Map<string, Rendered[]>(indexedTypes.map((type) => [type, []]));
  for (const resource of root.node.findAll()) {
    if (!CfnResource.isCfnResource(resource)) continue;
    index.get(resource.cfnResourceType)?.push({ resource, properties: renderedProperties(resource) ?? {} });
  }
  indexes.set(root, index);
  queueMicrotask(() => indexes.delete(root));
  return index;
}

/** The mappings of Lambda and the pipes of the app that read a queue or a stream. */
export function consumersOf(owner: IConstruct, arn: string): Rendered[] {
  return renderedOfTypes(owner, 'AWS::Lambda::EventSourceMapping', 'AWS::Pipes::Pipe').filter(
    ({ resource, properties: { EventSourceArn, Source } }) =>
      isValue(resource, EventSourceArn ?? Source, arn, owner),
  );
}

/** Whether a mapping or a pipe is stopped, also by a value that is known only at deployment. */
export function mayBeStopped({ Enabled, DesiredState }: RenderedProperties): boolean {
  return !(isUnset(Enabled) || isRenderedTrue(Enabled)) || DesiredState === 'STOPPED';
}

/** Whether a rendered property of a resource has a reference to another resource of the same stack. */
export function refersTo(resource: CfnResource, rendered: unknown, target: CfnResource | undefined): boolean {
  if (target === undefined || Stack.of(resource) !== Stack.of(target)) return false;
  const id = JSON.stringify(Stack.of(target).resolve(target.logicalId));
  const text = JSON.stringify(rendered ?? '');
  return text.includes(`{"Ref":${id}}`) || text.includes(`{"Fn::GetAtt":[${id},`);
}

/** Whether a rendered property of a resource is the value of another construct, which may be of another stack. */
export function isValue(resource: CfnResource, rendered: unknown, value: string, owner: IConstruct): boolean {
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

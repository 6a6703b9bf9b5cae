import { CfnElement, CfnResource, Stack, Stage } from 'aws-cdk-lib';
import type { IConstruct } from 'constructs';
import { referenceTargets } from '../reference-targets.ts';

/** The stacks that each stack depends on. */
type StackGraph = Map<Stack, Set<Stack>>;

interface StackGraphs {
  /** By what CDK and the user refer to by themselves. */
  readonly fixed: StackGraph;
  /** By that, and by what is asked for here and has no name. */
  readonly needed: StackGraph;
  /** By all that is referred to. */
  readonly all: StackGraph;
}

interface ReferenceToMake {
  /** Whether CDK looks for references: by then all resources are there. */
  readonly preparing: boolean;
  /** Whether a name can take its place. */
  readonly isAvoidable: boolean;
}

const graphs = new WeakMap<IConstruct, StackGraphs>();
const inTheMaking = new WeakMap<IConstruct, StackGraphs>();

/**
 * Whether a reference from `from` to `to` would be one of a cycle of stacks: CDK throws for the last reference
 * of a cycle, before any rule is asked. Answered from the moment when CDK looks for references; earlier,
 * nothing is known. The answer does not depend on the order of the questions: of a cycle, no avoidable
 * reference is made; of a cycle without any, none of those that are asked for. One to a stack that `from`
 * depends on anyway is none of these.
 *
 * @returns `undefined` while the references are looked for here
 */
export function wouldCloseCycle(
  from: Stack,
  to: Stack,
  { preparing, isAvoidable }: ReferenceToMake,
): boolean | undefined {
  const stage = Stage.of(from) ?? from.node.root;
  const unfinished = inTheMaking.get(stage);
  if (unfinished !== undefined) {
    addEdges(isAvoidable ? unfinished.all : unfinished.needed, from, [to]);
    return undefined;
  }
  const made = graphs.get(stage) ?? (preparing ? makeGraphs(stage) : undefined);
  if (made === undefined) return false;
  const [user, used] = dependentStacks(from, to);
  return !reaches(made.fixed, user, used) && reaches(isAvoidable ? made.all : made.needed, used, user);
}

export function outermostStack(stack: Stack): Stack {
  return stack.nestedStackParent === undefined ? stack : outermostStack(stack.nestedStackParent);
}

/**
 * The stacks that depend on each other when one refers to another: the outermost ones, or within one of these the nested
 * stacks in which both are, as CloudFormation makes one nested stack after the other. A stack and one that it holds are
 * made together: for them it is one stack, twice.
 */
export function dependentStacks(from: Stack, to: Stack): readonly [Stack, Stack] {
  const [ofFrom, ofTo] = [holdersOf(from), holdersOf(to)];
  const depth = ofFrom.findIndex((stack, index) => stack !== ofTo[index]);
  const [user, used] = [ofFrom[depth], ofTo[depth]];
  return user === undefined || used === undefined ? [from, from] : [user, used];
}

/** From the outermost stack to the stack itself. */
function holdersOf(stack: Stack): readonly Stack[] {
  const { nestedStackParent } = stack;
  return nestedStackParent === undefined ? [stack] : [...holdersOf(nestedStackParent), stack];
}

function makeGraphs(stage: IConstruct): StackGraphs {
  const made: StackGraphs = { fixed: new Map(), needed: new Map(), all: new Map() };
  inTheMaking.set(stage, made);
  const elements = stage.node.findAll();
  const nested = nestedByResource(elements);
  const stackOf = (each: IConstruct) => nested.get(each) ?? Stack.of(each);
  for (const element of elements) {
    if (Stack.isStack(element)) addEdges(made.fixed, element, element.dependencies);
    if (!CfnElement.isCfnElement(element)) continue;
    const own = stackOf(element);
    const { _toCloudFormation: template } = element as unknown as { _toCloudFormation: () => unknown };
    // What has no name is told of elsewhere.
    const references = { preparing: true, onNameless: () => '' };
    const targets = [...referenceTargets(element, template.call(element), references)];
    const dependencies = CfnResource.isCfnResource(element) ? element.obtainDependencies() : [];
    addEdges(made.fixed, own, [...targets, ...dependencies].map(stackOf));
  }
  for (const [from, dependencies] of made.fixed) addEdges(made.needed, from, dependencies);
  for (const [from, dependencies] of made.needed) addEdges(made.all, from, dependencies);
  graphs.set(stage, made);
  inTheMaking.delete(stage);
  return made;
}

/** Nested stacks by their resources in the stacks that hold them: what these refer to or wait for, they wait for. */
function nestedByResource(constructs: readonly IConstruct[]): ReadonlyMap<IConstruct, Stack> {
  const found = new Map<IConstruct, Stack>();
  for (const construct of constructs) {
    if (Stack.isStack(construct) && construct.nestedStackResource !== undefined)
      found.set(construct.nestedStackResource, construct);
  }
  return found;
}

function addEdges(graph: StackGraph, stack: Stack, dependencies: Iterable<Stack>): void {
  for (const dependency of dependencies) {
    const [from, to] = dependentStacks(stack, dependency);
    if (from !== to) graph.set(from, (graph.get(from) ?? new Set()).add(to));
  }
}

/** The stacks that CDK's references in a value lead to. */
export function stacksReferredToIn(...value: Parameters<typeof referenceTargets>): ReadonlySet<Stack> {
  return new Set([...referenceTargets(...value)].map((target) => Stack.of(target)));
}

function reaches(graph: StackGraph, from: Stack, to: Stack): boolean {
  const seen = new Set([from]);
  // Stacks that are added on the way are visited too.
  for (const stack of seen) {
    if (stack === to) return true;
    for (const next of graph.get(stack) ?? []) seen.add(next);
  }
  return false;
}

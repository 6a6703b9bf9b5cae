import {
  CfnElement,
  DefaultTokenResolver,
  type IResolvable,
  type IResolveContext,
  Reference,
  Stack,
  Stage,
  StringConcat,
  Tokenization,
} from 'aws-cdk-lib';
import type { IConstruct } from 'constructs';

/** The stacks that each stack depends on. */
type StackGraph = ReadonlyMap<Stack, ReadonlySet<Stack>>;

const graphs = new WeakMap<IConstruct, StackGraph>();
const inTheMaking = new WeakSet<IConstruct>();

/**
 * Whether `from` cannot refer to `to`, since that depends on it already: CDK throws for the last reference of
 * such a cycle, before any rule is asked. Answered from the moment when CDK looks for references (`preparing`):
 * by then all resources are there. Earlier, and while the references are looked for here, nothing is known.
 */
export function wouldCloseCycle(from: Stack, to: Stack, preparing: boolean): boolean {
  const stage = Stage.of(from) ?? from.node.root;
  if (inTheMaking.has(stage)) return false;
  const graph = graphs.get(stage) ?? (preparing ? makeGraph(stage) : undefined);
  return graph !== undefined && reaches(graph, outermostStack(to), outermostStack(from));
}

export function outermostStack(stack: Stack): Stack {
  return stack.nestedStackParent === undefined ? stack : outermostStack(stack.nestedStackParent);
}

function makeGraph(stage: IConstruct): StackGraph {
  inTheMaking.add(stage);
  const graph = new Map<Stack, Set<Stack>>();
  for (const element of stage.node.findAll()) {
    if (Stack.isStack(element)) addEdges(graph, element, element.dependencies);
    if (!CfnElement.isCfnElement(element)) continue;
    const { _toCloudFormation: template } = element as unknown as { _toCloudFormation: () => unknown };
    // What has no name is told of elsewhere.
    addEdges(
      graph,
      element.stack,
      stacksReferredToIn(element, template.call(element), () => ''),
    );
  }
  graphs.set(stage, graph);
  inTheMaking.delete(stage);
  return graph;
}

function addEdges(graph: Map<Stack, Set<Stack>>, stack: Stack, dependencies: Iterable<Stack>): void {
  const from = outermostStack(stack);
  const known = graph.get(from) ?? new Set();
  for (const to of dependencies) known.add(outermostStack(to));
  graph.set(from, known);
}

const cfnReference = Symbol.for('@aws-cdk/core.CfnReference');

/**
 * The stacks that CDK's references in a value lead to.
 *
 * @param onNameless for what belongs to another account or region and has no name
 * @throws what CDK does for that, unless `onNameless` is given
 */
export function stacksReferredToIn(
  scope: IConstruct,
  value: unknown,
  onNameless?: () => unknown,
): ReadonlySet<Stack> {
  const stacks = new Set<Stack>();
  class TargetFinder extends DefaultTokenResolver {
    override resolveToken(token: IResolvable, context: IResolveContext, post: never): unknown {
      if (!Reference.isReference(token)) return super.resolveToken(token, context, post);
      // Other references, such as those to another account, turn into names or into a reference of a template.
      if (!(cfnReference in token)) return this.#resolved(token, context, post);
      stacks.add(Stack.of(token.target));
      return '';
    }

    /** CDK throws for what has no name. */
    #resolved(token: IResolvable, context: IResolveContext, post: never): unknown {
      try {
        return super.resolveToken(token, context, post);
      } catch (error) {
        if (onNameless === undefined) throw error;
        return onNameless();
      }
    }
  }
  const resolver = new TargetFinder(new StringConcat());
  Tokenization.resolve(value, { scope, resolver, preparing: true });
  return stacks;
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

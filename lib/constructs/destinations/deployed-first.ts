import { Lazy, Stack, Stage, Token } from 'aws-cdk-lib';
import type { IConstruct } from 'constructs';
import { isInPlaceOf } from '../places.ts';
import { outermostStack, wouldCloseCycle } from './stack-graph.ts';

/**
 * A value of a resource of the app that has to be there, or whose policy has, before what refers to it. Within
 * one place a reference of CDK does that. Elsewhere a name stands for it: there the stack that refers to it
 * depends on that of the resource here, unless the stacks would depend on each other.
 */
export function deployedFirst(owner: IConstruct, value: string): string {
  if (!Token.isUnresolved(value)) return value;
  return Lazy.uncachedString({
    produce: ({ scope, preparing }) => {
      if (preparing) dependOn(Stack.of(scope), Stack.of(owner));
      return value;
    },
  });
}

function dependOn(from: Stack, to: Stack): void {
  if (isInPlaceOf(from, to) || Stage.of(from) !== Stage.of(to)) return;
  // Undefined while the graph is made, of which this becomes a part.
  if (wouldCloseCycle(from, to, { preparing: true, isAvoidable: true }) !== false) return;
  outermostStack(from).addStackDependency(outermostStack(to), 'the policy of its topic lets it subscribe');
}

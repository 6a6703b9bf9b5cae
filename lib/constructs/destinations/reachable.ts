import { Lazy, Stack, Stage, Token } from 'aws-cdk-lib';
import type { Construct, IConstruct } from 'constructs';
import { isKnown } from '../is-known.ts';
import { elsewhereProblem, isInPlaceOf } from '../places.ts';
import { isNameless } from '../reference-targets.ts';
import { type KnownName, knownName } from '../resource-forms.ts';
import { isElsewhere } from './regions.ts';
import { dependentStacks, stacksReferredToIn, wouldCloseCycle } from './stack-graph.ts';

/** Stands for what cannot be referred to, until the synth reports it. */
const UNREACHABLE = 'arn:aws:sqs:us-east-1:111111111111:unreachable';

/** The stacks that would depend on each other, by what one of them refers to. */
const cycles = new WeakMap<IConstruct, Set<Stack>>();
/** Each value once, so that equal ones stay equal. */
const reachableValues = new WeakMap<IConstruct, Map<string, string>>();

/**
 * A name, an ARN or a URL of a resource that may belong to another stack. What CDK would throw for, before
 * any rule is asked, it does not refer to: a reference that makes stacks depend on each other, and one to
 * another account or region without a name. {@link reportUnreachable} reports it.
 *
 * @param as what the value is, if the resource need not be there when the stack that refers to it is deployed:
 *   what its name tells stands in place of a reference that makes stacks depend on each other
 */
export function reachable(owner: IConstruct, value: string, as?: keyof KnownName): string {
  if (!Token.isUnresolved(value)) return value;
  const values = reachableValues.get(owner) ?? new Map<string, string>();
  if (!reachableValues.has(owner)) {
    reachableValues.set(owner, values);
    owner.node.addValidation({ validate: () => unreportedCycles(owner) });
  }
  const key = `${as} ${value}`;
  const known = values.get(key);
  if (known !== undefined) return known;
  const guarded = Lazy.uncachedString({
    produce: ({ scope, preparing }) => referred(Stack.of(scope), { owner, value, as }, preparing),
  });
  values.set(key, guarded);
  return guarded;
}

interface Referred {
  readonly owner: IConstruct;
  readonly value: string;
  readonly as: keyof KnownName | undefined;
}

function referred(from: Stack, { owner, value, as }: Referred, preparing: boolean): string {
  const to = Stack.of(owner);
  const [user, used] = dependentStacks(from, to);
  if (user === used) return value;
  if (!canName(from, owner, value)) return UNREACHABLE;
  // Elsewhere a name may stand for it, and makes no stack depend on another.
  if (!isInPlaceOf(from, to) && !stacksReferredToIn(from, value).has(to)) return value;
  const byName = as && knownName(owner)?.[as];
  const closesCycle = wouldCloseCycle(from, to, { preparing, isAvoidable: byName !== undefined });
  if (closesCycle === undefined) return UNREACHABLE;
  if (!closesCycle) return value;
  if (byName !== undefined) return byName;
  // Otherwise it is only looked at, as for its size.
  if (preparing) cycles.set(owner, (cycles.get(owner) ?? new Set()).add(user));
  return UNREACHABLE;
}

/**
 * Whether a stack can refer to a resource by this value, unless stacks would depend on each other: within its
 * own place by a reference of CDK, elsewhere by a physical name.
 */
export function canName(from: Stack, owner: IConstruct, value: string): boolean {
  if (!Token.isUnresolved(value)) return true;
  const to = Stack.of(owner);
  if (isInPlaceOf(from, to)) return true;
  // Between two regions CDK refers by the output of a stack, whose region it has to know.
  const hasReferences = Stage.of(from) === Stage.of(to) && isKnown(from.region) && isKnown(to.region);
  try {
    return hasReferences ? from.resolve(value) !== undefined : !stacksReferredToIn(from, value).has(to);
  } catch (error) {
    if (isNameless(error)) return false;
    throw error;
  }
}

/** How one construct refers to another. */
export interface Way {
  readonly setting: string;
  readonly owner: IConstruct;
  /** What is referred to, as the resource has it. */
  readonly value: string;
  /** What makes an end of a cycle of stacks. */
  readonly againstCycle: string;
  /** What lets another account refer to it. */
  readonly acrossAccounts: string;
}

/** The ways to a resource that are reported, by the stack that refers to it. */
const reported = new WeakMap<IConstruct, Map<Stack, Way>>();

/** Reports at synth what a construct cannot refer to. */
export function reportUnreachable(scope: Construct, way: Way): void {
  if (!Token.isUnresolved(way.value)) return;
  const ways = reported.get(way.owner) ?? new Map<Stack, Way>();
  const [user] = dependentStacks(Stack.of(scope), Stack.of(way.owner));
  reported.set(way.owner, ways.set(user, way));
  scope.node.addValidation({
    validate: () => {
      const nameless = nameProblem(scope, way);
      return nameless.length > 0 ? nameless : cycleProblem(scope, way);
    },
  });
}

function nameProblem(scope: Construct, { setting, owner, value, acrossAccounts }: Way): string[] {
  const from = Stack.of(scope);
  // Another region is refused by a rule of its own.
  if (isElsewhere(from.region, Stack.of(owner).region)) return [];
  if (canName(from, owner, value)) return [];
  const problem = elsewhereProblem(scope, owner);
  return [`${setting}: ${problem}, which cannot refer to it without a name. ${acrossAccounts}.`];
}

function cycleProblem(scope: Construct, { setting, owner, againstCycle }: Way): string[] {
  const [own] = dependentStacks(Stack.of(scope), Stack.of(owner));
  if (cycles.get(owner)?.has(own) !== true) return [];
  return [`${setting}: '${scope.node.path}' refers to ${dependingStacks(owner, own)}. ${againstCycle}.`];
}

/** Of stacks in which nothing tells of its ways, as that of a role of the user's own. */
function unreportedCycles(owner: IConstruct): string[] {
  const ways = reported.get(owner);
  const [way] = ways?.values() ?? [];
  const remedy = way?.againstCycle ?? 'Declare it in a stack of its own';
  const unreported = [...(cycles.get(owner) ?? [])].filter((stack) => ways?.has(stack) !== true);
  return unreported.map(
    (stack) => `the stack '${stack.node.path}' refers to ${dependingStacks(owner, stack)}. ${remedy}.`,
  );
}

function dependingStacks(owner: IConstruct, from: Stack): string {
  const [, other] = dependentStacks(from, Stack.of(owner));
  return `'${owner.node.path}', and the stacks '${from.node.path}' and '${other.node.path}' would depend on each other`;
}

import { Lazy, Stack, Stage, Token } from 'aws-cdk-lib';
import type { Construct, IConstruct } from 'constructs';
import { isKnown } from '../assert-range.ts';
import { elsewhereProblem, isInPlaceOf } from '../places.ts';
import { isElsewhere } from './regions.ts';
import { outermostStack, stacksReferredToIn, wouldCloseCycle } from './stack-graph.ts';

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
 */
export function reachable(owner: IConstruct, value: string): string {
  if (!Token.isUnresolved(value)) return value;
  const values = reachableValues.get(owner) ?? new Map<string, string>();
  reachableValues.set(owner, values);
  const known = values.get(value);
  if (known !== undefined) return known;
  const guarded = Lazy.uncachedString({
    produce: ({ scope, preparing }) => (canRefer(scope, owner, value, preparing) ? value : UNREACHABLE),
  });
  values.set(value, guarded);
  return guarded;
}

function canRefer(scope: IConstruct, owner: IConstruct, value: string, preparing: boolean): boolean {
  const [from, to] = [Stack.of(scope), Stack.of(owner)];
  if (outermostStack(from) === outermostStack(to)) return true;
  if (!canName(from, owner, value)) return false;
  if (!wouldCloseCycle(from, to, preparing)) return true;
  cycles.set(owner, (cycles.get(owner) ?? new Set()).add(outermostStack(from)));
  return false;
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
  } catch {
    // CDK throws when the resource has no name.
    return false;
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

/** The stacks that refer to a resource by ways that are reported. */
const reporting = new WeakMap<IConstruct, Set<Stack>>();

/** Reports at synth what a construct cannot refer to. */
export function reportUnreachable(scope: Construct, way: Way): void {
  if (!Token.isUnresolved(way.value)) return;
  const stacks = reporting.get(way.owner) ?? new Set();
  reporting.set(way.owner, stacks.add(outermostStack(Stack.of(scope))));
  scope.node.addValidation({
    validate: () => {
      const nameless = nameProblem(scope, way);
      return nameless.length > 0 ? nameless : cycleProblems(scope, way);
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

/** That of its own stack; and that of one which refers to it by what belongs to this construct, as a relay. */
function cycleProblems(scope: Construct, { setting, owner, againstCycle }: Way): string[] {
  const own = outermostStack(Stack.of(scope));
  const stacks = [...(cycles.get(owner) ?? [])].filter(
    (stack) => stack === own || reporting.get(owner)?.has(stack) === false,
  );
  const other = outermostStack(Stack.of(owner)).node.path;
  return stacks.map(
    ({ node }) =>
      `${setting}: '${scope.node.path}' refers to '${owner.node.path}', and the stacks '${node.path}' and '${other}' ` +
      `would depend on each other. ${againstCycle}.`,
  );
}

import { Stack } from 'aws-cdk-lib';
import { Grant, type IGrantable, ManagedPolicy, Policy } from 'aws-cdk-lib/aws-iam';
import { Construct, type IConstruct } from 'constructs';
import { kind } from '../kernel/checks/checks.ts';
import { argumentOf } from './checks/prop-checks.ts';
import { hasMembers } from './checks/prop-kinds.ts';
import { isElsewhere } from './destinations/regions.ts';
import { elsewhereProblem } from './places.ts';
import { Violations } from './violations.ts';

const aGrantee = kind('a role, a function or another grantee', (value) =>
  hasMembers(value, 'grantPrincipal'),
);

/** @throws SagaboxError `Configuration` */
export function assertGrantee(method: string, of: IConstruct, grantee: unknown): void {
  argumentOf(method, of, { grantee }, aGrantee);
}

/** The role or user whose policies are written for a grantee; `undefined` for one without, as an account. */
export function holderOf({ grantPrincipal }: IGrantable): IConstruct | undefined {
  return Construct.isConstruct(grantPrincipal) ? grantPrincipal : undefined;
}

/** A policy of the app takes statements by itself. */
export function isPolicy(grantee: unknown): grantee is Policy | ManagedPolicy {
  return grantee instanceof Policy || grantee instanceof ManagedPolicy;
}

/** Of one that statements were granted to: an immutable role takes none of them, and says that it did. */
export function takesPolicies(holder: IConstruct): boolean {
  return holder.node.findAll().some(isPolicy);
}

/** A grant that is not made, and is reported at synth. */
export function refusedGrant(scope: IConstruct, method: string, grantee: IGrantable, problem: string): Grant {
  const remedy =
    'Grant it to a role of the same account and region, which others may assume, or import a role of another ' +
    'region by Role.fromRoleArn in this stack, which then holds the policy';
  new Violations(scope).add(method, problem, remedy);
  return Grant.drop(grantee, method);
}

/**
 * What keeps a policy of the grantee from naming the resources of a construct: another account, region or
 * Stage.
 */
export function granteeProblem(scope: Construct, grantee: IGrantable): string | undefined {
  const holder = holderOf(grantee);
  const problem = holder && elsewhereProblem(holder, scope);
  if (problem !== undefined) return problem;
  const { principalAccount } = grantee.grantPrincipal;
  const { account } = Stack.of(scope);
  if (principalAccount === undefined || !isElsewhere(principalAccount, account)) return undefined;
  return `'${holder?.node.path ?? 'the grantee'}' is of account ${principalAccount}, and '${scope.node.path}' of ${account}`;
}

import { type IResolveContext, Lazy } from 'aws-cdk-lib';
import {
  type AddToPrincipalPolicyResult,
  type IGrantable,
  type IPrincipal,
  Policy,
  PolicyDocument,
  type PolicyStatement,
} from 'aws-cdk-lib/aws-iam';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import type { Construct } from 'constructs';

/**
 * Takes grants for the role of a function, and merges statements that differ in their resources only: a relay
 * of 30 endpoints would get a statement for each of their destinations, and a role has room for 10,240
 * characters.
 */
export class MergedGrants implements IGrantable {
  readonly policy: Policy;
  readonly grantPrincipal: IPrincipal;

  constructor(scope: Construct, id: string, { role }: IFunction) {
    if (role === undefined) throw new Error('The function has no role');
    const policy = new Policy(scope, id, { document: new MergedDocument(), roles: [role] });
    this.policy = policy;
    const addToPrincipalPolicy = (statement: PolicyStatement): AddToPrincipalPolicyResult => {
      policy.addStatements(statement);
      return { statementAdded: true, policyDependable: policy };
    };
    this.grantPrincipal = {
      grantPrincipal: role,
      assumeRoleAction: role.assumeRoleAction,
      policyFragment: role.policyFragment,
      ...(role.principalAccount !== undefined && { principalAccount: role.principalAccount }),
      addToPrincipalPolicy,
    };
  }
}

/**
 * Merged once its tokens are resolved: CDK's own merging leaves an ARN as often as there are tokens for it.
 */
class MergedDocument extends PolicyDocument {
  override resolve(context: IResolveContext): unknown {
    const { Statement: statements = [], ...others } = context.resolve(
      super.toJSON() ?? {},
    ) as RenderedDocument;
    return { ...others, Statement: merged(statements) };
  }

  override toJSON(): unknown {
    return Lazy.uncachedAny({ produce: (context) => this.resolve(context) });
  }
}

interface RenderedDocument {
  readonly Statement?: readonly RenderedStatement[];
}

interface RenderedStatement {
  readonly Resource?: unknown;
}

function merged(statements: readonly RenderedStatement[]): RenderedStatement[] {
  const resources = new Map<string, Map<string, unknown>>();
  for (const { Resource, ...terms } of statements) {
    const key = JSON.stringify(terms);
    const known = resources.get(key) ?? new Map<string, unknown>();
    for (const resource of [Resource].flat()) known.set(JSON.stringify(resource), resource);
    resources.set(key, known);
  }
  return [...resources].map(([terms, known]) => {
    const [only, ...others] = known.values();
    return { ...JSON.parse(terms), Resource: others.length === 0 ? only : [only, ...others] };
  });
}

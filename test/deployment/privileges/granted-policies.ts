import type { AssemblyStack } from '../../../lib/local/app/cloud-assembly.ts';
import { resolverOf } from '../../../lib/local/app/resources/model.ts';
import { listOf, type PolicyStatement } from './iam-policy.ts';

/** The statements of each role of an app, by the role's name, with every reference resolved. */
export type GrantedPolicies = ReadonlyMap<string, readonly PolicyStatement[]>;

interface PolicyDocument {
  readonly Statement: readonly PolicyStatement[];
}

interface PolicyProperties {
  readonly Roles?: readonly string[];
  readonly PolicyDocument?: PolicyDocument;
  /** Of a role. */
  readonly Policies?: readonly { readonly PolicyDocument: PolicyDocument }[];
}

const policyTypes = ['AWS::IAM::Policy', 'AWS::IAM::ManagedPolicy', 'AWS::IAM::Role'];

export function grantedPolicies(stacks: readonly AssemblyStack[]): GrantedPolicies {
  const granted = new Map<string, PolicyStatement[]>();
  for (const stack of stacks) {
    const resolved = resolverOf(stack, stacks, 'http://127.0.0.1');
    for (const [logicalId, { Type, Properties }] of Object.entries(stack.template.Resources ?? {})) {
      if (!policyTypes.includes(Type)) continue;
      const { Roles = [], PolicyDocument, Policies = [] } = resolved(Properties ?? {}) as PolicyProperties;
      const documents = [...listOf(PolicyDocument), ...Policies.map((policy) => policy.PolicyDocument)];
      const statements = documents.flatMap(({ Statement }) => Statement);
      const own = Type === 'AWS::IAM::Role' ? [String(resolved({ Ref: logicalId }))] : [];
      for (const role of [...Roles, ...own]) granted.set(role, [...(granted.get(role) ?? []), ...statements]);
    }
  }
  return granted;
}

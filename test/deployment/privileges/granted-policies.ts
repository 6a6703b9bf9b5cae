import type { AssemblyStack } from '../../../lib/local/app/cloud-assembly.ts';
import { modelResources } from '../../../lib/local/app/resources/model.ts';
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
  readonly RoleName?: string;
  readonly Policies?: readonly { readonly PolicyDocument: PolicyDocument }[];
}

/** A type whose properties the local runner resolves; policies themselves it does not run. */
const RESOLVED_TYPE = 'AWS::Lambda::EventSourceMapping';
const policyTypes = ['AWS::IAM::Policy', 'AWS::IAM::ManagedPolicy', 'AWS::IAM::Role'];

/** @param queueBaseUrl as the running app has it */
export function grantedPolicies(stacks: readonly AssemblyStack[]): GrantedPolicies {
  const { resources } = modelResources(stacks.map(withPoliciesResolved), 'http://127.0.0.1');
  const granted = new Map<string, PolicyStatement[]>();
  for (const { logicalId, properties, type } of resources) {
    if (type !== RESOLVED_TYPE || !logicalId.startsWith(PREFIX)) continue;
    const { Roles = [], RoleName, PolicyDocument, Policies = [] } = properties as PolicyProperties;
    const documents = [...listOf(PolicyDocument), ...Policies.map((policy) => policy.PolicyDocument)];
    const statements = documents.flatMap(({ Statement }) => Statement);
    for (const role of [...Roles, ...listOf(RoleName)])
      granted.set(role, [...(granted.get(role) ?? []), ...statements]);
  }
  return granted;
}

const PREFIX = 'Resolved';

function withPoliciesResolved(stack: AssemblyStack): AssemblyStack {
  const all = stack.template.Resources ?? {};
  const policies = Object.entries(all).filter(([, { Type }]) => policyTypes.includes(Type));
  const resolved = policies.map(([logicalId, { Type, Properties = {} }]) => {
    const own = Type === 'AWS::IAM::Role' ? { RoleName: { Ref: logicalId } } : {};
    return [`${PREFIX}${logicalId}`, { Type: RESOLVED_TYPE, Properties: { ...Properties, ...own } }] as const;
  });
  return {
    ...stack,
    template: { ...stack.template, Resources: { ...all, ...Object.fromEntries(resolved) } },
  };
}

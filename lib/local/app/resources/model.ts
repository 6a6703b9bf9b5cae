import type { AssemblyStack } from '../cloud-assembly.ts';
import { localArn, localIdentity } from '../identity.ts';
import { type IntrinsicScope, noValue, resolveIntrinsics } from './intrinsics.ts';
import { resourceKinds } from './kinds.ts';
import { localNameOf } from './name.ts';

/** A declared resource that the local runtime runs, under the name it has here. */
export interface LocalResource {
  readonly type: string;
  readonly logicalId: string;
  /** For example the name of the table, queue or function. */
  readonly name: string;
  readonly properties: Readonly<Record<string, unknown>>;
  readonly stack: AssemblyStack;
}

/** Declared resources of one type that the local runtime does not run. */
export interface ResourcesNotRun {
  readonly type: string;
  readonly logicalIds: readonly string[];
}

export interface ResourceModel {
  readonly resources: readonly LocalResource[];
  readonly notRun: readonly ResourcesNotRun[];
  /** The outputs of all stacks, by their logical ids. */
  readonly outputs: Readonly<Record<string, string>>;
}

/**
 * Gives every declared resource its local name and resolves the intrinsics of those that run.
 *
 * @param queueBaseUrl start of every queue URL, without a slash at its end.
 */
export function modelResources(stacks: readonly AssemblyStack[], queueBaseUrl: string): ResourceModel {
  const resources: LocalResource[] = [];
  const notRun = new Map<string, string[]>();
  const outputs: Record<string, string> = {};
  for (const stack of stacks) {
    const scope = scopeOf(stack, stacks, queueBaseUrl);
    for (const [logicalId, resource] of Object.entries(stack.template.Resources ?? {})) {
      const { Type: type, Properties: properties = {} } = resource;
      const kind = resourceKinds[type];
      if (kind === undefined || kind.isStandIn) {
        notRun.set(type, [...(notRun.get(type) ?? []), logicalId]);
        continue;
      }
      resources.push({
        type,
        logicalId,
        name: localNameOf(stack, logicalId, resource),
        properties: resolveIntrinsics(properties, scope) as Record<string, unknown>,
        stack,
      });
    }
    for (const [logicalId, { Value: value }] of Object.entries(stack.template.Outputs ?? {})) {
      outputs[logicalId] = String(resolveIntrinsics(value, scope));
    }
  }
  return { resources, notRun: [...notRun].map(([type, logicalIds]) => ({ type, logicalIds })), outputs };
}

function scopeOf(
  stack: AssemblyStack,
  stacks: readonly AssemblyStack[],
  queueBaseUrl: string,
): IntrinsicScope {
  const { Resources: resources = {}, Parameters: parameters = {}, Mappings: mappings = {} } = stack.template;
  const pseudoParameters: Readonly<Record<string, unknown>> = {
    'AWS::Region': localIdentity.region,
    'AWS::AccountId': localIdentity.accountId,
    'AWS::Partition': localIdentity.partition,
    'AWS::URLSuffix': localIdentity.urlSuffix,
    'AWS::StackName': stack.name,
    'AWS::StackId': localArn('cloudformation', `stack/${stack.name}/local`),
    'AWS::NoValue': noValue,
  };
  const reference = (logicalId: string, attribute?: string): string => {
    const resource = resources[logicalId];
    const kind = resource && resourceKinds[resource.Type];
    const standsFor = attribute === undefined ? kind?.ref : kind?.attributes[attribute];
    if (resource && standsFor) return standsFor(localNameOf(stack, logicalId, resource), queueBaseUrl);
    const name = attribute === undefined ? logicalId : `${logicalId}.${attribute}`;
    return `not-run-locally:${resource?.Type ?? 'unknown'}:${name}`;
  };
  return {
    ref: (name) =>
      name in pseudoParameters ? pseudoParameters[name] : (parameters[name]?.Default ?? reference(name)),
    attribute: reference,
    importedValue: (exportName) => {
      for (const exporter of stacks) {
        const scope = scopeOf(exporter, stacks, queueBaseUrl);
        for (const { Value: value, Export: exported } of Object.values(exporter.template.Outputs ?? {})) {
          if (exported !== undefined && resolveIntrinsics(exported.Name, scope) === exportName) {
            return resolveIntrinsics(value, scope);
          }
        }
      }
      return `not-run-locally:unknown:${exportName}`;
    },
    mapping: (map, key, attribute) => mappings[map]?.[key]?.[attribute],
  };
}

import type { AssemblyStack } from '../cloud-assembly.ts';
import { localIdentity, localStackId } from '../identity.ts';
import { type IntrinsicScope, noValue, resolveIntrinsics } from './intrinsics.ts';
import { resourceKinds, type StreamArns } from './kinds.ts';
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
  readonly stackName: string;
  readonly type: string;
  readonly logicalIds: readonly string[];
}

export interface ResourceModel {
  readonly resources: readonly LocalResource[];
  readonly notRun: readonly ResourcesNotRun[];
  readonly outputs: Readonly<Record<string, string>>;
}

/**
 * Gives every declared resource its local name and resolves the intrinsics of those that run.
 *
 * @param queueBaseUrl start of the queue URLs that functions are given, without a slash at its end
 * @param outputQueueBaseUrl start of those in outputs, which whoever runs the app reads
 * @param streamArns the streams of the tables, as soon as there are some
 */
export function modelResources(
  stacks: readonly AssemblyStack[],
  queueBaseUrl: string,
  outputQueueBaseUrl = queueBaseUrl,
  streamArns: StreamArns = new Map(),
): ResourceModel {
  const resources: LocalResource[] = [];
  const notRun: ResourcesNotRun[] = [];
  for (const stack of stacks) {
    const resolved = resolverOf(stack, stacks, queueBaseUrl, streamArns);
    const idsNotRun = new Map<string, string[]>();
    for (const [logicalId, resource] of Object.entries(stack.template.Resources ?? {})) {
      const { Type: type, Properties: properties = {} } = resource;
      const kind = resourceKinds[type];
      if (kind === undefined || kind.isStandIn) {
        idsNotRun.set(type, [...(idsNotRun.get(type) ?? []), logicalId]);
        continue;
      }
      resources.push({
        type,
        logicalId,
        name: localNameOf(stack, logicalId, resource),
        properties: resolved(properties) as Record<string, unknown>,
        stack,
      });
    }
    for (const [type, logicalIds] of idsNotRun) notRun.push({ stackName: stack.name, type, logicalIds });
  }
  return { resources, notRun, outputs: outputsOf(stacks, outputQueueBaseUrl, streamArns) };
}

/** Puts into a value of a template what its references stand for here; of resources that run, and of others. */
export function resolverOf(
  stack: AssemblyStack,
  stacks: readonly AssemblyStack[],
  queueBaseUrl: string,
  streamArns: StreamArns = new Map(),
): (value: unknown) => unknown {
  const scope = scopeOf(stack, stacks, queueBaseUrl, streamArns);
  return (value) => resolveIntrinsics(value, scope);
}

/** By `Stack.LogicalId`; by the logical id alone those that one stack alone has. */
function outputsOf(
  stacks: readonly AssemblyStack[],
  queueBaseUrl: string,
  streamArns: StreamArns,
): Record<string, string> {
  const all = stacks.flatMap((stack) =>
    Object.entries(stack.template.Outputs ?? {}).map(([logicalId, { Value: value }]) => ({
      stackName: stack.name,
      logicalId,
      value: String(resolveIntrinsics(value, scopeOf(stack, stacks, queueBaseUrl, streamArns))),
    })),
  );
  const times = (id: string): number => all.filter(({ logicalId }) => logicalId === id).length;
  const unambiguous = all.filter(({ logicalId }) => times(logicalId) === 1);
  return Object.fromEntries([
    ...unambiguous.map(({ logicalId, value }) => [logicalId, value]),
    ...all.map(({ stackName, logicalId, value }) => [`${stackName}.${logicalId}`, value]),
  ]);
}

function scopeOf(
  stack: AssemblyStack,
  stacks: readonly AssemblyStack[],
  queueBaseUrl: string,
  streamArns: StreamArns,
): IntrinsicScope {
  const { Resources: resources = {}, Parameters: parameters = {}, Mappings: mappings = {} } = stack.template;
  const pseudoParameters: Readonly<Record<string, unknown>> = {
    'AWS::Region': localIdentity.region,
    'AWS::AccountId': localIdentity.accountId,
    'AWS::Partition': localIdentity.partition,
    'AWS::URLSuffix': localIdentity.urlSuffix,
    'AWS::StackName': stack.name,
    'AWS::StackId': localStackId(stack.name),
    'AWS::NotificationARNs': [],
    'AWS::NoValue': noValue,
  };
  const reference = (logicalId: string, attribute?: string): string => {
    const resource = resources[logicalId];
    const kind = resource && resourceKinds[resource.Type];
    const standsFor = attribute === undefined ? kind?.ref : kind?.attributes[attribute];
    if (resource && standsFor) {
      const property = (name: string): unknown => resolveIntrinsics(resource.Properties?.[name], scope);
      return standsFor(localNameOf(stack, logicalId, resource), { queueBaseUrl, streamArns, property });
    }
    const name = attribute === undefined ? logicalId : `${logicalId}.${attribute}`;
    return `not-run-locally:${resource?.Type ?? 'unknown'}:${name}`;
  };
  const scope: IntrinsicScope = {
    ref: (name) =>
      name in pseudoParameters ? pseudoParameters[name] : (parameters[name]?.Default ?? reference(name)),
    attribute: reference,
    importedValue: (exportName) => {
      for (const exporter of stacks) {
        const exporterScope = scopeOf(exporter, stacks, queueBaseUrl, streamArns);
        for (const { Value: value, Export: exported } of Object.values(exporter.template.Outputs ?? {})) {
          if (exported !== undefined && resolveIntrinsics(exported.Name, exporterScope) === exportName) {
            return resolveIntrinsics(value, exporterScope);
          }
        }
      }
      return `not-run-locally:unknown:${exportName}`;
    },
    stackOutput: (stackName, outputName) => {
      const owner = stacks.find(({ name }) => name === stackName);
      const output = owner?.template.Outputs?.[outputName];
      if (owner === undefined || output === undefined) {
        return `not-run-locally:unknown:${stackName}.${outputName}`;
      }
      return resolveIntrinsics(output.Value, scopeOf(owner, stacks, queueBaseUrl, streamArns));
    },
    mapping: (map, key, attribute) => mappings[map]?.[key]?.[attribute],
  };
  return scope;
}

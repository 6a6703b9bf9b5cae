import { CfnResource, Stack, Stage } from 'aws-cdk-lib';
import { CfnPolicy } from 'aws-cdk-lib/aws-iam';
import type { IConstruct } from 'constructs';
import { referenceTargets } from '../reference-targets.ts';

/** What the limits look at of the stacks that are synthesized together. */
export interface StageResources {
  readonly byStack: ReadonlyMap<Stack, readonly CfnResource[]>;
  /** The inline policies of a role, a user or a group, those of other stacks too. */
  readonly policiesByHolder: ReadonlyMap<IConstruct, readonly CfnPolicy[]>;
}

const known = new WeakMap<IConstruct, StageResources>();

/** From one walk for all stacks of a Stage; at synth, when no resource is added any more. */
export function resourcesOfStage(scope: IConstruct): StageResources {
  const stage = Stage.of(scope) ?? scope.node.root;
  const found = known.get(stage) ?? collect(stage);
  known.set(stage, found);
  return found;
}

function collect(stage: IConstruct): StageResources {
  const byStack = new Map<Stack, CfnResource[]>();
  const policiesByHolder = new Map<IConstruct, CfnPolicy[]>();
  for (const resource of stage.node.findAll()) {
    if (!CfnResource.isCfnResource(resource)) continue;
    append(byStack, Stack.of(resource), resource);
    if (!(resource instanceof CfnPolicy)) continue;
    const holders = referenceTargets(resource, [resource.roles, resource.users, resource.groups]);
    for (const holder of holders) append(policiesByHolder, holder, resource);
  }
  return { byStack, policiesByHolder };
}

function append<K, V>(map: Map<K, V[]>, key: K, value: V): void {
  const values = map.get(key);
  if (values === undefined) map.set(key, [value]);
  else values.push(value);
}

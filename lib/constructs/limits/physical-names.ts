import { type CfnResource, Stack, Stage } from 'aws-cdk-lib';
import { CfnTable } from 'aws-cdk-lib/aws-dynamodb';
import { CfnQueue } from 'aws-cdk-lib/aws-sqs';
import type { IConstruct } from 'constructs';
import { isKnown } from '../assert-range.ts';

interface NamedResource {
  readonly resource: CfnResource;
  readonly setting: string;
  readonly name: string;
}

/** The tables and queues of an app that the template names, by kind and name. */
type NamedResources = ReadonlyMap<string, readonly NamedResource[]>;

const known = new WeakMap<IConstruct, NamedResources>();

/**
 * The physical names of tables and queues at or below a construct that other resources of the app have as
 * well, which the service refuses at deploy. To be read at synth.
 */
export function nameProblems({ node }: IConstruct): string[] {
  const all = namedResources(node.root);
  return node.findAll().flatMap((each) => {
    const named = namedResource(each);
    if (named === undefined) return [];
    const namesakes = (all.get(keyOf(named)) ?? []).filter(({ resource }) => isNamesake(each, resource));
    if (namesakes.length === 0) return [];
    const paths = namesakes.map(({ resource }) => pathOf(resource)).join(', ');
    return [
      `${named.setting}: '${named.name}' of '${pathOf(each)}' is also the name of ${paths}, in the same account and ` +
        'region. Give each a name of its own, or leave it out.',
    ];
  });
}

/** From one walk for all constructs that ask: one for each would make the time grow with the square. */
function namedResources(root: IConstruct): NamedResources {
  const found = known.get(root) ?? collect(root);
  known.set(root, found);
  return found;
}

function collect(root: IConstruct): NamedResources {
  const all = new Map<string, NamedResource[]>();
  for (const each of root.node.findAll()) {
    const named = namedResource(each);
    if (named === undefined) continue;
    const key = keyOf(named);
    all.set(key, [...(all.get(key) ?? []), named]);
  }
  return all;
}

function namedResource(resource: IConstruct): NamedResource | undefined {
  if (resource instanceof CfnTable) return named(resource, 'tableName', resource.tableName);
  return resource instanceof CfnQueue ? named(resource, 'queueName', resource.queueName) : undefined;
}

/** A name that is known only at deployment may be any. */
function named(resource: CfnResource, setting: string, name: string | undefined): NamedResource | undefined {
  return name === undefined || !isKnown(name) ? undefined : { resource, setting, name };
}

const keyOf = ({ setting, name }: NamedResource) => `${setting} ${name}`;

/**
 * Stacks of a Stage whose environment is known only at deployment are taken to be deployed to one place; those
 * of two Stages, as Dev and Prod, are not.
 */
function isNamesake(one: IConstruct, other: CfnResource): boolean {
  if (one === other) return false;
  const [here, there] = [Stack.of(one), Stack.of(other)];
  if (here.account !== there.account || here.region !== there.region) return false;
  return Stage.of(one) === Stage.of(other) || (isKnown(here.account) && isKnown(here.region));
}

/** That of the construct whose resource it is. */
function pathOf({ node }: IConstruct): string {
  const { scope } = node;
  return scope !== undefined && node === scope.node.defaultChild?.node ? scope.node.path : node.path;
}

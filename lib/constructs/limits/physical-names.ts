import { Stack, Stage } from 'aws-cdk-lib';
import { CfnAlarm, CfnDashboard } from 'aws-cdk-lib/aws-cloudwatch';
import { CfnGlobalTable, CfnTable } from 'aws-cdk-lib/aws-dynamodb';
import { CfnFunction } from 'aws-cdk-lib/aws-lambda';
import { CfnBucket } from 'aws-cdk-lib/aws-s3';
import { CfnScheduleGroup } from 'aws-cdk-lib/aws-scheduler';
import { CfnQueue } from 'aws-cdk-lib/aws-sqs';
import type { IConstruct } from 'constructs';
import { isKnown } from '../assert-range.ts';

/** Where there is one resource of a name. */
type Scope = 'the same account and region' | 'the same account' | 'all accounts and regions';

/** Resources whose names are one namespace. */
interface Kind {
  /** The prop with the name. */
  readonly setting: string;
  readonly scope: Scope;
  readonly nameOf: (resource: IConstruct) => string | undefined;
  /** @default - leave the name out */
  readonly remedy?: string;
}

const kinds: readonly Kind[] = [
  {
    setting: 'tableName',
    scope: 'the same account and region',
    nameOf: (each) =>
      each instanceof CfnTable || each instanceof CfnGlobalTable ? each.tableName : undefined,
  },
  {
    setting: 'queueName',
    scope: 'the same account and region',
    nameOf: (each) => (each instanceof CfnQueue ? each.queueName : undefined),
  },
  {
    setting: 'functionName',
    scope: 'the same account and region',
    nameOf: (each) => (each instanceof CfnFunction ? each.functionName : undefined),
  },
  {
    setting: 'groupName',
    scope: 'the same account and region',
    nameOf: (each) => (each instanceof CfnScheduleGroup ? each.name : undefined),
  },
  {
    setting: 'alarmName',
    scope: 'the same account and region',
    nameOf: (each) => (each instanceof CfnAlarm ? each.alarmName : undefined),
    remedy: 'Give each endpoint a name of its own, or each monitoring an alarmNamePrefix',
  },
  {
    setting: 'dashboardName',
    scope: 'the same account',
    nameOf: (each) => (each instanceof CfnDashboard ? each.dashboardName : undefined),
  },
  {
    setting: 'bucketName',
    scope: 'all accounts and regions',
    nameOf: (each) => (each instanceof CfnBucket ? each.bucketName : undefined),
  },
];

interface NamedResource {
  readonly resource: IConstruct;
  readonly kind: Kind;
  readonly name: string;
}

/** The resources of an app that the template names, by kind and name. */
type NamedResources = ReadonlyMap<string, readonly NamedResource[]>;

const known = new WeakMap<IConstruct, NamedResources>();

/**
 * The physical names of resources at or below a construct that other resources of the app have as well, which
 * the service refuses at deploy. To be read at synth.
 */
export function nameProblems({ node }: IConstruct): string[] {
  const all = namedResources(node.root);
  const found = node.findAll().flatMap((each) => {
    const named = namedResource(each);
    if (named === undefined) return [];
    const { kind, name } = named;
    const { setting, scope, remedy = 'Give each a name of its own, or leave it out' } = kind;
    const namesakes = (all.get(keyOf(named)) ?? []).filter(({ resource }) =>
      isNamesake(each, resource, scope),
    );
    if (namesakes.length === 0) return [];
    const paths = namesakes.map(({ resource }) => pathOf(resource)).join(', ');
    const problem = `${setting}: '${name}' of '${pathOf(each)}' is also the name of ${paths}, in ${scope}. ${remedy}.`;
    return [{ setting, problem }];
  });
  // One prefix makes the names of all alarms.
  const alarm = found.findIndex(({ setting }) => setting === 'alarmName');
  return found
    .filter(({ setting }, index) => setting !== 'alarmName' || index === alarm)
    .map(({ problem }) => problem);
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

/** A name that is known only at deployment may be any. */
function namedResource(resource: IConstruct): NamedResource | undefined {
  for (const kind of kinds) {
    const name = kind.nameOf(resource);
    if (name !== undefined) return isKnown(name) ? { resource, kind, name } : undefined;
  }
  return undefined;
}

const keyOf = ({ kind, name }: NamedResource) => `${kind.setting} ${name}`;

/**
 * Stacks of a Stage whose environment is known only at deployment are taken to be deployed to one place; those
 * of two Stages, as Dev and Prod, are not.
 */
function isNamesake(one: IConstruct, other: IConstruct, scope: Scope): boolean {
  if (one === other) return false;
  const [here, there] = [Stack.of(one), Stack.of(other)];
  const isOfStage = Stage.of(one) === Stage.of(other);
  const isShared = (part: 'account' | 'region') =>
    here[part] === there[part] && (isOfStage || isKnown(here[part]));
  if (scope === 'all accounts and regions') {
    const areKnown = isKnown(here.region) && isKnown(there.region);
    return areKnown ? partitionOf(here.region) === partitionOf(there.region) : isShared('region');
  }
  return isShared('account') && (scope === 'the same account' || isShared('region'));
}

/** As its prefix tells: 'cn', 'us-gov' and 'us-iso' are worlds of their own. */
function partitionOf(region: string): string {
  return /^(?:cn|us-gov|\w+-iso\w*)(?=-)/.exec(region)?.[0] ?? '';
}

/** That of the construct whose resource it is. */
function pathOf({ node }: IConstruct): string {
  const { scope } = node;
  return scope !== undefined && node === scope.node.defaultChild?.node ? scope.node.path : node.path;
}

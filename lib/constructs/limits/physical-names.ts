import { CfnAlarm, CfnDashboard } from 'aws-cdk-lib/aws-cloudwatch';
import { CfnGlobalTable, CfnTable } from 'aws-cdk-lib/aws-dynamodb';
import { CfnFunction } from 'aws-cdk-lib/aws-lambda';
import { CfnBucket } from 'aws-cdk-lib/aws-s3';
import { CfnScheduleGroup } from 'aws-cdk-lib/aws-scheduler';
import { CfnQueue } from 'aws-cdk-lib/aws-sqs';
import type { IConstruct } from 'constructs';
import { isKnown } from '../is-known.ts';
import { isOnePlace, type Scope } from './one-place.ts';

/** Resources whose names are one namespace. */
interface Kind {
  /** The prop with the name. */
  readonly setting: string;
  readonly scope: Scope;
  readonly nameOf: (resource: IConstruct) => string | undefined;
  /** @default - leave the name out */
  readonly remedy?: string;
  /**
   * Whether two stacks of a Stage are taken to be deployed to one place when their environments are known only
   * then. Otherwise they may be Dev and Prod, of which each is deployed with credentials of its own.
   *
   * @default false
   */
  readonly isOncePerStage?: boolean;
}

const kinds: readonly Kind[] = [
  {
    setting: 'tableName',
    scope: 'the same account and region',
    nameOf: (each) =>
      each instanceof CfnTable || each instanceof CfnGlobalTable ? each.tableName : undefined,
    isOncePerStage: true,
  },
  {
    setting: 'queueName',
    scope: 'the same account and region',
    nameOf: (each) => (each instanceof CfnQueue ? each.queueName : undefined),
    isOncePerStage: true,
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
    isOncePerStage: true,
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
    const { setting, scope, remedy = 'Give each a name of its own, or leave it out', isOncePerStage } = kind;
    const namesakes = (all.get(keyOf(named)) ?? []).filter(
      ({ resource }) => resource !== each && isOnePlace(each, resource, scope, isOncePerStage),
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

/** That of the construct whose resource it is. */
function pathOf({ node }: IConstruct): string {
  const { scope } = node;
  return scope !== undefined && node === scope.node.defaultChild?.node ? scope.node.path : node.path;
}

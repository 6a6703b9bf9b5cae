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

/** Resources whose names are one namespace, or endpoints whose metrics are. */
interface Kind {
  /** The prop with the name. */
  readonly setting: string;
  readonly scope: Scope;
  readonly nameOf: (resource: IConstruct) => string | undefined;
  /** @default - it is also the name of the others */
  readonly problem?: string;
  /** @default - leave the name out */
  readonly remedy?: string;
  /**
   * Whether nothing refuses the name at deploy. Stacks whose environment is known only then are not taken to be
   * deployed to one place.
   *
   * @default false
   */
  readonly isAccepted?: boolean;
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
  {
    setting: 'metricsNamespace',
    scope: 'the same account and region',
    nameOf: (each) => (isEmitter(each) ? `${each.metricsNamespace}: ${each.endpointName}` : undefined),
    problem: 'also takes the metrics of',
    remedy:
      'Give each a metricsNamespace of its own, such as one for each stage, or an endpointName of its own',
    isAccepted: true,
  },
];

interface Emitter extends IConstruct {
  readonly endpointName: string;
  readonly metricsNamespace: string;
}

/** An endpoint whose function emits metrics; an imported one has no function. */
function isEmitter(each: IConstruct): each is Emitter {
  const {
    endpointName,
    metricsNamespace,
    function: handler,
  } = each as Partial<Emitter> & { function?: unknown };
  return handler !== undefined && endpointName !== undefined && metricsNamespace !== undefined;
}

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
 * the service refuses at deploy, and metrics that endpoints would share. To be read at synth.
 */
export function nameProblems({ node }: IConstruct): string[] {
  const all = namedResources(node.root);
  const found = node.findAll().flatMap((each) => {
    const named = namedResource(each);
    if (named === undefined) return [];
    const { kind, name } = named;
    const { setting, scope, remedy = 'Give each a name of its own, or leave it out' } = kind;
    const namesakes = (all.get(keyOf(named)) ?? []).filter(({ resource }) =>
      isNamesake(each, resource, kind),
    );
    if (namesakes.length === 0) return [];
    const paths = namesakes.map(({ resource }) => pathOf(resource)).join(', ');
    const isAlso = kind.problem ?? 'is also the name of';
    const problem = `${setting}: '${name}' of '${pathOf(each)}' ${isAlso} ${paths}, in ${scope}. ${remedy}.`;
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
function isNamesake(one: IConstruct, other: IConstruct, { scope, isAccepted = false }: Kind): boolean {
  if (one === other) return false;
  const [here, there] = [Stack.of(one), Stack.of(other)];
  const isOnePlace = isAccepted ? here === there : Stage.of(one) === Stage.of(other);
  const isShared = (part: 'account' | 'region') =>
    here[part] === there[part] && (isOnePlace || isKnown(here[part]));
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

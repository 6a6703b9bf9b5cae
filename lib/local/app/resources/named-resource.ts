import { SagaboxError } from '../../../kernel/errors/errors.ts';
import { endpointSetting } from '../../../settings/endpoint.ts';
import { eventSourceDefinitions } from '../../lambda/event-source-definition.ts';
import { resourceKinds } from './kinds.ts';
import type { LocalResource } from './model.ts';

/** What people name with less than the local name. */
type Kind = 'queue' | 'function' | 'table';

interface Nameable {
  readonly resource: LocalResource;
  /** Of a queue, those that it feeds; of a function, the one that it serves. */
  readonly endpoints: readonly string[];
}

/**
 * The local name of the queue that is meant: by its name or logical id, the latter also without the hash that
 * the CDK adds, or by the endpoint that it feeds.
 *
 * @throws SagaboxError `Configuration` when none is meant, or several
 */
export function queueNamed(resources: readonly LocalResource[], wanted: string): string {
  return theOne(resources, 'queue', wanted);
}

/**
 * The local name of the function that is meant, as for a queue.
 *
 * @throws SagaboxError `Configuration` when none is meant, or several
 */
export function functionNamed(resources: readonly LocalResource[], wanted: string): string {
  return theOne(resources, 'function', wanted);
}

/**
 * What people call the resources of a kind, by local name: the endpoint, the name that the app gives, or the
 * logical id without its hash, whichever comes first and means no other.
 */
export function shortNames(resources: readonly LocalResource[], kind: Kind): ReadonlyMap<string, string> {
  const all = nameables(resources, kind);
  return new Map(all.map((one) => [one.resource.name, shortName(all, one)]));
}

/** A variable of a function's environment. */
export function variableOf({ properties }: LocalResource, variable: string): string | undefined {
  const { Variables: variables } = (properties.Environment ?? {}) as { Variables?: Record<string, string> };
  return variables?.[variable];
}

const kindsByType: Readonly<Record<string, Kind>> = {
  'AWS::SQS::Queue': 'queue',
  'AWS::Lambda::Function': 'function',
  'AWS::DynamoDB::Table': 'table',
  'AWS::DynamoDB::GlobalTable': 'table',
};

function nameables(resources: readonly LocalResource[], kind: Kind): Nameable[] {
  const functions = resources.filter(({ type }) => kindsByType[type] === 'function');
  const endpoints = new Map(functions.map((one) => [one.name, variableOf(one, endpointSetting.variable)]));
  const feeds = eventSourceDefinitions(resources);
  const functionsOf = ({ name }: LocalResource): string[] =>
    kind === 'function'
      ? [name]
      : feeds.filter(({ queueName }) => queueName === name).map(({ functionName }) => functionName);
  return resources
    .filter(({ type }) => kindsByType[type] === kind)
    .map((resource) => ({
      resource,
      endpoints: functionsOf(resource).flatMap((name) => endpoints.get(name) ?? []),
    }));
}

function theOne(resources: readonly LocalResource[], kind: Kind, wanted: string): string {
  const all = nameables(resources, kind);
  const found = meant(all, wanted);
  const [only, ...others] = found;
  if (only !== undefined && others.length === 0) return only.resource.name;
  const listed = (some: readonly Nameable[]): string => some.map((one) => describe(all, one)).join(', ');
  throw new SagaboxError('Configuration', {
    setting: kind,
    problem:
      only === undefined ? `the app has no ${kind} '${wanted}'` : `'${wanted}' may be ${listed(found)}`,
    remedy: `Name one of its ${kind}s: ${listed(all) || 'it has none'}`,
  });
}

/** More than one if the name does not tell them apart. */
function meant(all: readonly Nameable[], wanted: string): readonly Nameable[] {
  const ways = [
    all.filter(({ resource: { name, logicalId } }) => name === wanted || logicalId === wanted),
    all.filter(({ resource: { logicalId } }) => withoutHash(logicalId) === wanted),
    all.filter(({ endpoints }) => endpoints.includes(wanted)),
  ];
  return ways.find((found) => found.length > 0) ?? [];
}

function shortName(all: readonly Nameable[], { resource, endpoints }: Nameable): string {
  const { name, logicalId, type, properties } = resource;
  const isNamed = properties[resourceKinds[type]?.nameProperty ?? ''] === name;
  const candidates = [...endpoints, ...(isNamed ? [name] : []), withoutHash(logicalId)];
  const isClear = (candidate: string): boolean => {
    const [only, ...others] = meant(all, candidate);
    return only?.resource === resource && others.length === 0;
  };
  return candidates.find(isClear) ?? name;
}

function describe(all: readonly Nameable[], one: Nameable): string {
  const [short, { name }] = [shortName(all, one), one.resource];
  return short === name ? name : `${short} (${name})`;
}

/** The CDK makes a logical id of a path, with a hash of it at its end. */
function withoutHash(logicalId: string): string {
  return logicalId.replace(/[0-9A-F]{8}$/, '');
}

import { environmentVariables } from '../../../core/environment-variables.ts';
import { SagaboxError } from '../../../core/failures/errors.ts';
import { eventSourceDefinitions } from '../../lambda/event-source-definition.ts';
import type { LocalResource } from './model.ts';

/**
 * The local name of the queue that is meant: by its name or logical id, the latter also without the hash that
 * the CDK adds, or by the endpoint that it feeds.
 *
 * @throws SagaboxError `Configuration` when none is meant, or several
 */
export function queueNamed(resources: readonly LocalResource[], wanted: string): string {
  const functions = functionsOfEndpoint(resources, wanted);
  const ofEndpoint = eventSourceDefinitions(resources)
    .filter(({ functionName }) => functions.includes(functionName))
    .map(({ queueName }) => queueName);
  return theOne('queue', ofType(resources, 'AWS::SQS::Queue'), wanted, ofEndpoint);
}

/**
 * The local name of the function that is meant, as for a queue.
 *
 * @throws SagaboxError `Configuration` when none is meant, or several
 */
export function functionNamed(resources: readonly LocalResource[], wanted: string): string {
  const functions = ofType(resources, 'AWS::Lambda::Function');
  return theOne('function', functions, wanted, functionsOfEndpoint(resources, wanted));
}

/** The name of the endpoint that a function of sagabox serves. */
export function endpointOf(resource: LocalResource): string | undefined {
  return variableOf(resource, environmentVariables.endpoint);
}

/** A variable of a function's environment. */
export function variableOf({ properties }: LocalResource, variable: string): string | undefined {
  const { Variables: variables } = (properties.Environment ?? {}) as { Variables?: Record<string, string> };
  return variables?.[variable];
}

function functionsOfEndpoint(resources: readonly LocalResource[], endpoint: string): string[] {
  const functions = ofType(resources, 'AWS::Lambda::Function');
  return functions.filter((one) => endpointOf(one) === endpoint).map(({ name }) => name);
}

function ofType(resources: readonly LocalResource[], wanted: string): LocalResource[] {
  return resources.filter(({ type }) => type === wanted);
}

function theOne(
  kind: string,
  all: readonly LocalResource[],
  wanted: string,
  ofEndpoint: readonly string[],
): string {
  const namesOf = (isMeant: (resource: LocalResource) => boolean): string[] =>
    all.filter(isMeant).map(({ name }) => name);
  const meant = [
    namesOf(({ name, logicalId }) => name === wanted || logicalId === wanted),
    namesOf(({ logicalId }) => withoutHash(logicalId) === wanted),
    [...new Set(ofEndpoint)],
  ].find((names) => names.length > 0);
  const [found, ...others] = meant ?? [];
  if (found !== undefined && others.length === 0) return found;
  throw new SagaboxError('Configuration', {
    setting: kind,
    problem:
      found === undefined ? `the app has no ${kind} '${wanted}'` : `'${wanted}' may be ${meant?.join(', ')}`,
    remedy: `Name one of its ${kind}s: ${namesOf(() => true).join(', ') || 'it has none'}`,
  });
}

/** The CDK makes a logical id of a path, with a hash of it at its end. */
function withoutHash(logicalId: string): string {
  return logicalId.replace(/[0-9A-F]{8}$/, '');
}

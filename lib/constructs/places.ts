import { type IResource, Resource, Stack, Stage } from 'aws-cdk-lib';
import { Construct, type IConstruct } from 'constructs';
import { configurationError } from '../kernel/errors/errors.ts';
import { isKnown } from './is-known.ts';
import type { PropProblems } from './violations.ts';

/** @throws SagaboxError `Configuration` for a construct that is in no stack, as CDK's own are to be */
export function assertInStack({ node }: IConstruct): void {
  if (node.scopes.some((scope) => Stack.isStack(scope))) return;
  throw configurationError(
    `scope of '${node.path}'`,
    'it is in no Stack',
    'Give a Stack, or a construct in one',
  );
}

/** Whether both are deployed to one account and region by one Stage, where CDK refers to what has no name. */
export function isInPlaceOf(one: IConstruct, other: IConstruct): boolean {
  return Stack.of(one).environment === Stack.of(other).environment && Stage.of(one) === Stage.of(other);
}

/** What keeps a construct from using one of another place, with both places; `undefined` within one. */
export function elsewhereProblem(user: IConstruct, used: IConstruct): string | undefined {
  if (isInPlaceOf(user, used)) return undefined;
  return `'${used.node.path}' is in ${placeName(used)}, and '${user.node.path}' in ${placeName(user)}`;
}

/** As in "account 111111111111, region eu-west-1, Stage Prod". */
export function placeName(construct: IConstruct): string {
  const { account, region } = Stack.of(construct);
  const stage = Stage.of(construct)?.node.path ?? '';
  return [
    `account ${isKnown(account) ? account : 'not known before deployment'}`,
    `region ${isKnown(region) ? region : 'not known before deployment'}`,
    ...(stage === '' ? [] : [`Stage ${stage}`]),
  ].join(', ');
}

/**
 * Without what stands in another place, or is imported of another region, each of which is reported: CDK would
 * throw for the first one, or the service refuse it at deploy.
 *
 * @param remedies by setting, for those that are to be in the place of the scope
 */
export function withoutElsewhere<S extends object>(
  scope: IConstruct,
  settings: S,
  remedies: { readonly [Setting in keyof S]?: string },
  problems: PropProblems,
): S {
  const usable = Object.entries(settings).filter(([setting, value]) => {
    const remedy = remedies[setting as keyof S];
    if (remedy === undefined || !Construct.isConstruct(value)) return true;
    const problem = isImported(value) ? regionProblem(scope, value) : elsewhereProblem(scope, value);
    if (problem !== undefined) problems.add(setting, problem, remedy);
    return problem === undefined;
  });
  return Object.fromEntries(usable) as S;
}

function isImported(construct: IConstruct): construct is IResource {
  return Resource.isResource(construct) && !Resource.isOwnedResource(construct);
}

/** What another account owns can be referred to by its ARN, and used within its region. */
function regionProblem(scope: IConstruct, { env, node }: IResource): string | undefined {
  const { region } = Stack.of(scope);
  if (!isKnown(env.region) || !isKnown(region) || env.region === region) return undefined;
  return `'${node.path}' is in region ${env.region}, and '${scope.node.path}' in region ${region}`;
}

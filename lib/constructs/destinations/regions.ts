import { type IResource, Stack, Token, TokenComparison } from 'aws-cdk-lib';
import type { Construct, IConstruct } from 'constructs';

type HasEnvironment = Pick<IResource, 'env'>;

/** Of resources that may stand in another region than the scope, those that do for certain. */
export function resourcesElsewhere<R extends HasEnvironment>(scope: Construct, resources: readonly R[]): R[] {
  const { region } = Stack.of(scope);
  return resources.filter(({ env }) => isElsewhere(env.region, region));
}

export function isElsewhere(one: string, other: string): boolean {
  return !Token.isUnresolved(one) && !Token.isUnresolved(other) && one !== other;
}

/** Whether a resource stands in the account and the region of the scope for certain. */
export function isInEnvironmentOf(scope: IConstruct, { env }: HasEnvironment): boolean {
  const { account, region } = Stack.of(scope);
  return isSame(env.account, account) && isSame(env.region, region);
}

function isSame(one: string, other: string): boolean {
  const comparison = Token.compareStrings(one, other);
  return comparison === TokenComparison.SAME || (comparison !== TokenComparison.DIFFERENT && one === other);
}

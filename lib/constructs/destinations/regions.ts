import { type IResource, Stack, Token } from 'aws-cdk-lib';
import type { Construct } from 'constructs';

/** Of resources that may stand in another region than the scope, those that do for certain. */
export function resourcesElsewhere<R extends Pick<IResource, 'env'>>(
  scope: Construct,
  resources: readonly R[],
): R[] {
  const { region } = Stack.of(scope);
  return resources.filter(({ env }) => isElsewhere(env.region, region));
}

export function isElsewhere(one: string, other: string): boolean {
  return !Token.isUnresolved(one) && !Token.isUnresolved(other) && one !== other;
}

import { Stack, Stage } from 'aws-cdk-lib';
import type { IConstruct } from 'constructs';
import { isKnown } from '../is-known.ts';
import { isInPlaceOf } from '../places.ts';
import { outermostStack } from './stack-graph.ts';

/**
 * Whether two resources are one. Within a Stage their ARNs tell, also while they are tokens. ARNs of two
 * Stages may be alike while account or region is known only at deployment: a table that Dev and Prod import
 * by one name is another in each of them.
 */
export function isSameResource<R extends IConstruct>(
  one: R,
  other: R,
  arnOf: (resource: R) => string,
): boolean {
  if (one === other) return true;
  const arn = arnOf(one);
  return arn === arnOf(other) && (Stage.of(one) === Stage.of(other) || namesItsPlace(arn));
}

/**
 * For what two must not share: whether they are one for certain. Stacks of a Stage may be deployed to two
 * places, and what they import by one name is another in each.
 */
export function isCertainlySameResource<R extends IConstruct>(
  one: R,
  other: R,
  arnOf: (resource: R) => string,
): boolean {
  if (!isSameResource(one, other, arnOf)) return false;
  const arn = arnOf(one);
  if (namesItsPlace(arn) || stackOf(one) === stackOf(other)) return true;
  return isInPlaceOf(one, other) && (isOfKnownPlace(one) || isReference(arn));
}

function namesItsPlace(arn: string): boolean {
  const [, , , region = '', account = ''] = arn.split(':');
  return [region, account].every((part) => part !== '' && isKnown(part));
}

/** A nested stack is deployed with its parent. */
const stackOf = (construct: IConstruct) => outermostStack(Stack.of(construct));

function isOfKnownPlace(construct: IConstruct): boolean {
  const { account, region } = Stack.of(construct);
  return isKnown(account) && isKnown(region);
}

/** To a resource of the app, whose ARN is one token: that of an imported one is made of its name. */
function isReference(arn: string): boolean {
  return !arn.startsWith('arn:');
}

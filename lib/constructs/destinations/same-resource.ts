import { Stage } from 'aws-cdk-lib';
import type { IConstruct } from 'constructs';
import { isKnown } from '../assert-range.ts';

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

function namesItsPlace(arn: string): boolean {
  const [, , , region = '', account = ''] = arn.split(':');
  return [region, account].every((part) => part !== '' && isKnown(part));
}

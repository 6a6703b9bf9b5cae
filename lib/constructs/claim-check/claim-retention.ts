import { Stack } from 'aws-cdk-lib';
import { CfnBucket } from 'aws-cdk-lib/aws-s3';
import { claimCheckDefaults } from '../../core/claim-check/claim-check-defaults.ts';
import type { AnyBucket } from '../construct-types.ts';

const SECONDS_PER_DAY = 86_400;

type LifecycleRule = Partial<Omit<CfnBucket.RuleProperty, 'expirationInDays'>> & {
  readonly expirationInDays?: unknown;
};

/**
 * How long the lifecycle rules of a bucket of the app keep bodies: by the first rule that removes one of them.
 * Rules for some sizes or tags are not judged. To be read at synth, as rules may be added.
 *
 * @returns `undefined` for an imported bucket, and when no rule that is known removes bodies
 */
export function claimRetentionSeconds({ node: { defaultChild } }: AnyBucket): number | undefined {
  if (!(defaultChild instanceof CfnBucket)) return undefined;
  const { rules = [] } = Stack.of(defaultChild).resolve(defaultChild.lifecycleConfiguration) ?? {};
  const days = (rules as LifecycleRule[])
    .filter(removesBodies)
    .map(({ expirationInDays }) => expirationInDays)
    .filter((count) => typeof count === 'number');
  return days.length === 0 ? undefined : Math.min(...days) * SECONDS_PER_DAY;
}

function removesBodies(rule: LifecycleRule): boolean {
  const { status, prefix = '', tagFilters, objectSizeGreaterThan, objectSizeLessThan } = rule;
  const isForSome = [tagFilters, objectSizeGreaterThan, objectSizeLessThan].some((one) => one !== undefined);
  const folder = `${claimCheckDefaults.keyPrefix}/`;
  return status === 'Enabled' && !isForSome && (folder.startsWith(prefix) || prefix.startsWith(folder));
}

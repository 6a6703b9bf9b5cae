import { claimCheckDefaults } from '../../sending/claim-check/claim-check-defaults.ts';
import type { AnyBucket } from '../construct-types.ts';
import {
  type RenderedProperties,
  renderedNumber,
  renderedObject,
  renderedProperties,
} from '../rendered-properties.ts';

const SECONDS_PER_DAY = 86_400;

/**
 * How long the lifecycle rules of a bucket of the app keep bodies: by the first rule that removes one of them.
 * Rules for some sizes or tags are not judged. To be read at synth, as rules may be added.
 *
 * @returns `undefined` for an imported bucket, and when no rule that is known removes bodies
 */
export function claimRetentionSeconds(bucket: AnyBucket): number | undefined {
  const { Rules: rules } = renderedObject(renderedProperties(bucket)?.LifecycleConfiguration);
  const days = (Array.isArray(rules) ? rules : [])
    .map(renderedObject)
    .filter(removesBodies)
    .map(({ ExpirationInDays }) => renderedNumber(ExpirationInDays))
    .filter((count) => count !== undefined);
  return days.length === 0 ? undefined : Math.min(...days) * SECONDS_PER_DAY;
}

function removesBodies({
  Status,
  Prefix: prefix = '',
  TagFilters,
  ObjectSizeGreaterThan,
  ObjectSizeLessThan,
}: RenderedProperties): boolean {
  const isForSome = [TagFilters, ObjectSizeGreaterThan, ObjectSizeLessThan].some((one) => one !== undefined);
  const folder = `${claimCheckDefaults.keyPrefix}/`;
  if (Status !== 'Enabled' || isForSome || typeof prefix !== 'string') return false;
  return folder.startsWith(prefix) || prefix.startsWith(folder);
}

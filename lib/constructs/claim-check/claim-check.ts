import { Token } from 'aws-cdk-lib';
import { Grant, type IGrantable } from 'aws-cdk-lib/aws-iam';
import { aNumber, unless } from '../../kernel/checks/checks.ts';
import { limits } from '../../kernel/limits.ts';
import { claimCheckDefaults } from '../../sending/claim-check/claim-check-defaults.ts';
import { claimCheckFolder } from '../../sending/claim-check/claim-folder.ts';
import type { ClaimCheckConfiguration } from '../../settings/sending.ts';
import { withProps } from '../checks/prop-checks.ts';
import { aBucket, isConstructWith } from '../checks/prop-kinds.ts';
import { inBounds } from '../checks/prop-rows.ts';
import type { AnyBucket } from '../construct-types.ts';
import { grantKey } from '../destinations/queue-access.ts';
import { reachable } from '../destinations/reachable.ts';
import { acknowledgeWildcard } from '../nag-suppressions.ts';
import { ClaimCheckBucket } from './claim-check-bucket.ts';

/** A bucket of your own for large bodies. */
export interface ClaimCheckOptions {
  /**
   * Needs a lifecycle rule that removes objects under `claims/`, and not before the `retention` that a
   * {@link ClaimCheckBucket} needs. A rule of a bucket of the app that removes them earlier is reported at synth.
   * Without a rule they are kept forever, and the rules of an imported bucket are not known: check both yourself.
   */
  readonly bucket: AnyBucket;

  /**
   * Bodies over this size, as JSON, are stored in the bucket: 1 to 1,048,576 bytes.
   *
   * @default 65536
   */
  readonly thresholdBytes?: number;
}

export const claimCheckCheck = unless(
  isClaimCheckBucket,
  withProps<ClaimCheckOptions>(
    { bucket: aBucket, thresholdBytes: inBounds(aNumber, { min: 1, max: limits.messageBytes }) },
    { needs: ['bucket'], name: 'a ClaimCheckBucket or { bucket }' },
  ),
);

export type ClaimCheck = Required<ClaimCheckOptions>;

export function claimCheckOf(
  configured: ClaimCheckBucket | ClaimCheckOptions | undefined,
): ClaimCheck | undefined {
  if (configured === undefined) return undefined;
  const options = isClaimCheckBucket(configured) ? { bucket: configured } : configured;
  return { thresholdBytes: claimCheckDefaults.thresholdBytes, ...options };
}

/** It may come from another copy of the package. */
function isClaimCheckBucket(value: unknown): value is ClaimCheckBucket {
  return isConstructWith(value, 'bucketArn', 'retention');
}

/** Allows to store bodies in the endpoint's own folder, and to load those of all endpoints. */
export function grantClaimCheck({ bucket }: ClaimCheck, endpointName: string, grantee: IGrantable): void {
  const allow = (action: string, folder: string) => {
    const objects = `${reachable(bucket, bucket.bucketArn, 'arn')}/${folder}/*`;
    Grant.addToPrincipal({ grantee, actions: [action], resourceArns: [objects] });
    acknowledgeWildcard(
      grantee,
      objects,
      'Each body is an object of its own, below a prefix that is granted.',
    );
  };
  allow('s3:PutObject', ownFolder(endpointName));
  allow('s3:GetObject', claimCheckDefaults.keyPrefix);
  grantKey(bucket.encryptionKey, ['kms:Decrypt', 'kms:GenerateDataKey'], grantee);
}

/** The claim check as a function is told of it. */
export function claimCheckReference({ bucket, thresholdBytes }: ClaimCheck): ClaimCheckConfiguration {
  const bucketName = reachable(bucket, bucket.bucketName, 'name');
  return { bucketName, thresholdBytes, ...retentionOf(bucket) };
}

/** Empty for a bucket of the user's own. */
function retentionOf(bucket: AnyBucket): { retention?: { days: number } } {
  if (!(bucket instanceof ClaimCheckBucket) || bucket.retention.isUnresolved()) return {};
  return { retention: { days: bucket.retention.toDays() } };
}

/** A name that is known only at deployment cannot be escaped here. */
function ownFolder(endpointName: string): string {
  if (Token.isUnresolved(endpointName)) return claimCheckDefaults.keyPrefix;
  // In a policy a bare asterisk stands for anything.
  return claimCheckFolder(endpointName).replaceAll('*', `\${*}`);
}

import { Stack, Token } from 'aws-cdk-lib';
import { Grant, type IGrantable } from 'aws-cdk-lib/aws-iam';
import { claimCheckDefaults } from '../../core/claim-check/claim-check-defaults.ts';
import { claimCheckFolder } from '../../core/claim-check/claim-folder.ts';
import type { AnyBucket } from '../any-resource.ts';
import { ClaimCheckBucket } from './claim-check-bucket.ts';

/** A bucket of your own for the bodies that are too large to travel with their messages. */
export interface ClaimCheckOptions {
  /** Give it a lifecycle rule that removes objects under `claims/`, as {@link ClaimCheckBucket} has. */
  readonly bucket: AnyBucket;

  /**
   * Larger bodies, as JSON, are stored in the bucket: 1 to 1,048,576 bytes.
   *
   * @default 65536
   */
  readonly thresholdBytes?: number;
}

export type ClaimCheck = Required<ClaimCheckOptions>;

export function claimCheckOf(
  configured: ClaimCheckBucket | ClaimCheckOptions | undefined,
): ClaimCheck | undefined {
  if (configured === undefined) return undefined;
  const options = configured instanceof ClaimCheckBucket ? { bucket: configured } : configured;
  return { thresholdBytes: claimCheckDefaults.thresholdBytes, ...options };
}

/** Allows to store bodies in the endpoint's own folder, and to load those of all endpoints. */
export function grantClaimCheck({ bucket }: ClaimCheck, endpointName: string, grantee: IGrantable): void {
  const allow = (action: string, folder: string) =>
    Grant.addToPrincipal({
      grantee,
      actions: [action],
      resourceArns: [bucket.arnForObjects(`${folder}/*`)],
    });
  allow('s3:PutObject', ownFolder(endpointName));
  allow('s3:GetObject', claimCheckDefaults.keyPrefix);
  bucket.encryptionKey?.grant(grantee, 'kms:Decrypt', 'kms:GenerateDataKey');
}

/** In the environment of a function, for the runtime. */
export function claimCheckJson({ bucket, thresholdBytes }: ClaimCheck): string {
  const { bucketName } = bucket;
  return Stack.of(bucket).toJsonString({ bucketName, thresholdBytes, ...retentionOf(bucket) });
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

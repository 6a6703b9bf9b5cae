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

export interface ClaimCheck {
  readonly bucket: AnyBucket;
  readonly thresholdBytes: number;
}

export function claimCheckOf(
  configured: ClaimCheckBucket | ClaimCheckOptions | undefined,
): ClaimCheck | undefined {
  if (configured === undefined) return undefined;
  const { thresholdBytes } = claimCheckDefaults;
  if (configured instanceof ClaimCheckBucket) return { bucket: configured, thresholdBytes };
  return { bucket: configured.bucket, thresholdBytes: configured.thresholdBytes ?? thresholdBytes };
}

/** Allows to put bodies aside in the endpoint's own folder, and to take those of all endpoints. */
export function grantClaimCheck({ bucket }: ClaimCheck, endpointName: string, grantee: IGrantable): void {
  const put = {
    actions: ['s3:PutObject'],
    resourceArns: [bucket.arnForObjects(`${ownFolder(endpointName)}/*`)],
  };
  const get = {
    actions: ['s3:GetObject'],
    resourceArns: [bucket.arnForObjects(`${claimCheckDefaults.keyPrefix}/*`)],
  };
  for (const grant of [put, get]) Grant.addToPrincipal({ grantee, ...grant });
  bucket.encryptionKey?.grant(grantee, 'kms:Decrypt', 'kms:GenerateDataKey');
}

/** In the environment of a function, for the runtime. */
export function claimCheckJson({ bucket, thresholdBytes }: ClaimCheck): string {
  const { bucketName } = bucket;
  return Stack.of(bucket).toJsonString({ bucketName, thresholdBytes, ...retentionOf(bucket) });
}

/** Nothing for a bucket of the user's own. */
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

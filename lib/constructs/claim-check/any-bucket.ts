import type { Bucket, IBucket } from 'aws-cdk-lib/aws-s3';

/**
 * Any bucket, made here or imported. The class stands beside the interface that it implements because
 * TypeScript's `exactOptionalPropertyTypes` does not take it for it.
 */
export type AnyBucket = IBucket | Bucket;

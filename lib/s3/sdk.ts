import type * as Sdk from '@aws-sdk/client-s3';
import { loadOptionalPackage } from '../core/optional-package.ts';
import type { SdkClient } from '../core/sdk-client.ts';

/** @throws SagaboxError `Configuration` when the package is not installed */
export function loadS3Sdk(): Promise<typeof Sdk> {
  return loadOptionalPackage('@aws-sdk/client-s3', 'the claim check', () => import('@aws-sdk/client-s3'));
}

/**
 * @param settings of the SDK's client
 * @throws SagaboxError `Configuration` when the package is not installed
 */
export async function loadS3Client(settings: object = {}): Promise<SdkClient> {
  const { S3Client } = await loadS3Sdk();
  return new S3Client(settings);
}

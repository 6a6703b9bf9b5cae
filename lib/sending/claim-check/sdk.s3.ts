import type * as Sdk from '@aws-sdk/client-s3';
import { loadOptionalPackage, rethrow } from '../../kernel/calls/optional-package.ts';

/** @throws SagaboxError `Configuration` when the package is not installed */
export function loadS3Sdk(): Promise<typeof Sdk> {
  return loadOptionalPackage('@aws-sdk/client-s3', 'the claim check', () =>
    import('@aws-sdk/client-s3').catch(rethrow),
  );
}

import type * as Sdk from '@aws-sdk/client-ssm';
import { loadOptionalPackage, rethrow } from '../../kernel/calls/optional-package.ts';

/** @throws SagaboxError `Configuration` when the package is not installed */
export function loadSsmSdk(): Promise<typeof Sdk> {
  return loadOptionalPackage('@aws-sdk/client-ssm', 'reading settings from Systems Manager', () =>
    import('@aws-sdk/client-ssm').catch(rethrow),
  );
}

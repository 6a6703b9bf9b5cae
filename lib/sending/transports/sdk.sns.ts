import type * as Sdk from '@aws-sdk/client-sns';
import { loadOptionalPackage, rethrow } from '../../kernel/calls/optional-package.ts';

/** @throws SagaboxError `Configuration` when the package is not installed */
export function loadSnsSdk(): Promise<typeof Sdk> {
  return loadOptionalPackage('@aws-sdk/client-sns', 'sending to SNS topics', () =>
    import('@aws-sdk/client-sns').catch(rethrow),
  );
}

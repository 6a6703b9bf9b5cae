import type * as Sdk from '@aws-sdk/client-eventbridge';
import { loadOptionalPackage, rethrow } from '../../kernel/calls/optional-package.ts';

/** @throws SagaboxError `Configuration` when the package is not installed */
export function loadEventBridgeSdk(): Promise<typeof Sdk> {
  return loadOptionalPackage('@aws-sdk/client-eventbridge', 'sending to event buses', () =>
    import('@aws-sdk/client-eventbridge').catch(rethrow),
  );
}

import type * as Sdk from '@aws-sdk/client-scheduler';
import { loadOptionalPackage, rethrow } from '../../kernel/calls/optional-package.ts';

/** @throws SagaboxError `Configuration` when the package is not installed */
export function loadSchedulerSdk(): Promise<typeof Sdk> {
  return loadOptionalPackage('@aws-sdk/client-scheduler', 'delaying messages for longer than SQS does', () =>
    import('@aws-sdk/client-scheduler').catch(rethrow),
  );
}

import type * as Sdk from '@aws-sdk/client-lambda';
import { loadOptionalPackage, rethrow } from '../kernel/calls/optional-package.ts';

/** @throws SagaboxError `Configuration` when the package is not installed */
export function loadLambdaSdk(): Promise<typeof Sdk> {
  return loadOptionalPackage(
    '@aws-sdk/client-lambda',
    'looking after the event source mapping of a stream',
    () => import('@aws-sdk/client-lambda').catch(rethrow),
  );
}

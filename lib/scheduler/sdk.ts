import type * as Sdk from '@aws-sdk/client-scheduler';
import { loadOptionalPackage } from '../core/optional-package.ts';
import type { SdkClient } from '../core/sdk-client.ts';

/** @throws SagaboxError `Configuration` when the package is not installed */
export function loadSchedulerSdk(): Promise<typeof Sdk> {
  return loadOptionalPackage(
    '@aws-sdk/client-scheduler',
    'delaying messages for longer than SQS does',
    () => import('@aws-sdk/client-scheduler'),
  );
}

/**
 * @param settings of the SDK's client
 * @throws SagaboxError `Configuration` when the package is not installed
 */
export async function loadSchedulerClient(settings: object = {}): Promise<SdkClient> {
  const { SchedulerClient } = await loadSchedulerSdk();
  return new SchedulerClient(settings);
}

import type * as Sdk from '@aws-sdk/client-sns';
import { loadOptionalPackage } from '../core/optional-package.ts';
import type { SdkClient } from '../core/sdk-client.ts';

/** @throws SagaboxError `Configuration` when the package is not installed */
export function loadSnsSdk(): Promise<typeof Sdk> {
  return loadOptionalPackage(
    '@aws-sdk/client-sns',
    'sending to SNS topics',
    () => import('@aws-sdk/client-sns'),
  );
}

/**
 * @param settings of the SDK's client
 * @throws SagaboxError `Configuration` when the package is not installed
 */
export async function loadSnsClient(settings: object = {}): Promise<SdkClient> {
  const { SNSClient } = await loadSnsSdk();
  return new SNSClient(settings);
}

import type * as Sdk from '@aws-sdk/client-eventbridge';
import { loadOptionalPackage } from '../core/optional-package.ts';
import type { SdkClient } from '../core/sdk-client.ts';

/** @throws SagaboxError `Configuration` when the package is not installed */
export function loadEventBridgeSdk(): Promise<typeof Sdk> {
  return loadOptionalPackage(
    '@aws-sdk/client-eventbridge',
    'sending to event buses',
    () => import('@aws-sdk/client-eventbridge'),
  );
}

/**
 * @param settings of the SDK's client
 * @throws SagaboxError `Configuration` when the package is not installed
 */
export async function loadEventBridgeClient(settings: object = {}): Promise<SdkClient> {
  const { EventBridgeClient } = await loadEventBridgeSdk();
  return new EventBridgeClient(settings);
}

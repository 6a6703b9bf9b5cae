import { loadEventBridgeSdk } from '../adapters/eventbridge/sdk.ts';
import { loadS3Sdk } from '../adapters/s3/sdk.ts';
import { loadSchedulerSdk } from '../adapters/scheduler/sdk.ts';
import type { SdkClient } from '../adapters/shared/sdk-client.ts';
import { loadSnsSdk } from '../adapters/sns/sdk.ts';
import { bodyCallLimits, callLimits } from './clients.ts';
import type { EndpointOptions } from './options.ts';

type ClientOption = 'snsClient' | 'eventBridgeClient' | 'schedulerClient' | 's3Client';

/** @throws SagaboxError `Configuration` when the package is not installed */
export const makeClient: Readonly<Record<ClientOption, (settings: object) => Promise<SdkClient>>> = {
  snsClient: async (settings) => new (await loadSnsSdk()).SNSClient(settings),
  eventBridgeClient: async (settings) => new (await loadEventBridgeSdk()).EventBridgeClient(settings),
  schedulerClient: async (settings) => new (await loadSchedulerSdk()).SchedulerClient(settings),
  s3Client: async (settings) => new (await loadS3Sdk()).S3Client(settings),
};

/** Shared by the process. */
const loaded = new Map<ClientOption, Promise<SdkClient>>();

/** The client that was given, or one that is made when it is first needed: its package is optional. */
export function clientLoader(option: ClientOption, options: EndpointOptions): () => Promise<SdkClient> {
  return async () => {
    const given = options[option];
    if (given) return given;
    const requestHandler = option === 's3Client' ? bodyCallLimits : callLimits;
    const client = loaded.get(option) ?? makeClient[option]({ requestHandler });
    loaded.set(option, client);
    return await client;
  };
}

import type { SdkClient } from '../core/sdk-client.ts';
import { loadEventBridgeClient } from '../eventbridge/sdk.ts';
import { loadS3Client } from '../s3/sdk.ts';
import { loadSchedulerClient } from '../scheduler/sdk.ts';
import { loadSnsClient } from '../sns/sdk.ts';
import { bodyCallLimits, callLimits } from './clients.ts';
import type { EndpointOptions } from './options.ts';

type ClientOption = 'snsClient' | 'eventBridgeClient' | 'schedulerClient' | 's3Client';

const loaders: Readonly<Record<ClientOption, (settings: object) => Promise<SdkClient>>> = {
  snsClient: loadSnsClient,
  eventBridgeClient: loadEventBridgeClient,
  schedulerClient: loadSchedulerClient,
  s3Client: loadS3Client,
};

/** Shared by the process. */
const loaded = new Map<ClientOption, Promise<SdkClient>>();

/** The client that was given, or one that is made when it is first needed: its package is optional. */
export function clientLoader(option: ClientOption, options: EndpointOptions): () => Promise<SdkClient> {
  return async () => {
    const given = options[option];
    if (given) return given;
    const requestHandler = option === 's3Client' ? bodyCallLimits : callLimits;
    const client = loaded.get(option) ?? loaders[option]({ requestHandler });
    loaded.set(option, client);
    return await client;
  };
}

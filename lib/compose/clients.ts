import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { SQSClient } from '@aws-sdk/client-sqs';
import type { SdkClient } from '../kernel/calls/sdk-client.ts';
import { loadLambdaSdk } from '../relay/sdk.lambda.ts';
import { loadS3Sdk } from '../sending/claim-check/sdk.s3.ts';
import { loadSchedulerSdk } from '../sending/schedules/sdk.scheduler.ts';
import { loadEventBridgeSdk } from '../sending/transports/sdk.eventbridge.ts';
import { loadSnsSdk } from '../sending/transports/sdk.sns.ts';
import type { EndpointOptions } from './options.ts';

/**
 * Without limits the SDK waits for an answer for ever, and one call that gets none would block the invocation
 * and all messages of its batch. The SDK retries what timed out: a call without an answer fails after 9 s
 * with three attempts, and after 12 s with the four of DynamoDB, so that a function of 30 s has time left.
 */
export const callLimits = {
  connectionTimeout: 1000,
  requestTimeout: 3000,
  /** The request's own timeout ends with the head of the answer: this one is for a body that stops coming. */
  socketTimeout: 3000,
  throwOnRequestTimeout: true,
} as const;

/** A body of a claim check, up to 50 MiB on a small function, takes longer than any other answer. */
export const bodyCallLimits = { ...callLimits, requestTimeout: 30_000, socketTimeout: 30_000 } as const;

let sharedDynamoDBClient: DynamoDBClient | undefined;
let sharedSqsClient: SQSClient | undefined;

/** The client of the process, with one connection pool, made when it is first needed. */
export function defaultDynamoDBClient(): DynamoDBClient {
  sharedDynamoDBClient ??= new DynamoDBClient({ requestHandler: callLimits });
  return sharedDynamoDBClient;
}

export function defaultSqsClient(): SQSClient {
  sharedSqsClient ??= new SQSClient({ requestHandler: callLimits });
  return sharedSqsClient;
}

let sharedLambdaClient: Promise<SdkClient> | undefined;

/** @throws SagaboxError `Configuration` if the package is not installed */
export function defaultLambdaClient(): Promise<SdkClient> {
  sharedLambdaClient ??= loadLambdaSdk().then(
    ({ LambdaClient }) => new LambdaClient({ requestHandler: callLimits }),
  );
  return sharedLambdaClient;
}

type ClientOption = 'snsClient' | 'eventBridgeClient' | 'schedulerClient' | 's3Client';

/** @throws SagaboxError `Configuration` if the package is not installed */
export const makeClient: Readonly<Record<ClientOption, (settings: object) => Promise<SdkClient>>> = {
  snsClient: async (settings) => new (await loadSnsSdk()).SNSClient(settings),
  eventBridgeClient: async (settings) => new (await loadEventBridgeSdk()).EventBridgeClient(settings),
  schedulerClient: async (settings) => new (await loadSchedulerSdk()).SchedulerClient(settings),
  s3Client: async (settings) => new (await loadS3Sdk()).S3Client(settings),
};

/** The clients that the process shares. */
const loaded = new Map<ClientOption, Promise<SdkClient>>();

/** Loads the given client, or makes one when it is first needed: its package is optional. */
export function clientLoader(
  option: ClientOption,
  options: Pick<EndpointOptions, ClientOption>,
): () => Promise<SdkClient> {
  return async () => {
    const given = options[option];
    if (given) return given;
    const requestHandler = option === 's3Client' ? bodyCallLimits : callLimits;
    const client = loaded.get(option) ?? makeClient[option]({ requestHandler });
    loaded.set(option, client);
    return await client;
  };
}

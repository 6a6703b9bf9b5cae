import { delimiter, dirname } from 'node:path';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { EventBridgeClient } from '@aws-sdk/client-eventbridge';
import { SchedulerClient } from '@aws-sdk/client-scheduler';
import { SNSClient } from '@aws-sdk/client-sns';
import { SQSClient } from '@aws-sdk/client-sqs';
import type { Emulator } from './emulator.ts';

const region = 'us-east-1';
const account = '000000000000';
interface Credentials {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken?: string;
}

/** The emulator takes it for the account's root user. */
const rootKey = { accessKeyId: 'test', secretAccessKey: 'test' };

/** Environment of the account's administrator, for the CDK and the SDK for Python. */
export function environmentFor({ endpoint, certificateFile }: Emulator): NodeJS.ProcessEnv {
  const { HOME, LANG, TMPDIR, PATH } = process.env;
  return {
    ...(HOME !== undefined && { HOME }),
    ...(LANG !== undefined && { LANG }),
    ...(TMPDIR !== undefined && { TMPDIR }),
    PATH: [dirname(process.execPath), PATH].join(delimiter),
    AWS_ENDPOINT_URL: endpoint,
    AWS_CA_BUNDLE: certificateFile,
    NODE_EXTRA_CA_CERTS: certificateFile,
    AWS_ACCESS_KEY_ID: rootKey.accessKeyId,
    AWS_SECRET_ACCESS_KEY: rootKey.secretAccessKey,
    AWS_REGION: region,
    AWS_DEFAULT_REGION: region,
    AWS_EC2_METADATA_DISABLED: 'true',
    CDK_DEFAULT_ACCOUNT: account,
    CDK_DEFAULT_REGION: region,
    CDK_DISABLE_CLI_TELEMETRY: 'true',
  };
}

export const environmentName = `aws://${account}/${region}`;

export interface Clients {
  readonly sqs: SQSClient;
  readonly sns: SNSClient;
  readonly eventBridge: EventBridgeClient;
  readonly dynamoDB: DynamoDBClient;
  readonly scheduler: SchedulerClient;
}

/** Of a producer outside, with an ordinary SDK; of the account's administrator unless it is told otherwise. */
export async function withClients<T>(
  { endpoint, certificate }: Emulator,
  work: (clients: Clients) => Promise<T>,
  credentials: Credentials = rootKey,
): Promise<T> {
  const settings = {
    endpoint,
    region,
    credentials,
    requestHandler: { httpsAgent: { ca: certificate, keepAlive: true, maxSockets: 20 } },
  };
  const clients = {
    sqs: new SQSClient(settings),
    sns: new SNSClient(settings),
    eventBridge: new EventBridgeClient(settings),
    dynamoDB: new DynamoDBClient(settings),
    scheduler: new SchedulerClient(settings),
  };
  try {
    return await work(clients);
  } finally {
    for (const client of Object.values(clients)) client.destroy();
  }
}

/** What the local runtime says it is, to SDK clients and to handlers. */
export const localIdentity = {
  region: 'us-east-1',
  accountId: '000000000000',
  partition: 'aws',
  urlSuffix: 'amazonaws.com',
  /** DynamoDB Local takes letters and digits only. Each client has its own: the SDK writes into them. */
  get credentials() {
    return { accessKeyId: 'local', secretAccessKey: 'local' };
  },
} as const;

/** Settings of a client of any AWS service. */
export interface LocalClientConfig {
  /** One address for all services: it tells them apart by the signature of a request. */
  readonly endpoint: string;
  readonly region: string;
  readonly credentials: { readonly accessKeyId: string; readonly secretAccessKey: string };
}

export function localClientConfig(endpoint: string): LocalClientConfig {
  const { region, credentials } = localIdentity;
  return { endpoint, region, credentials };
}

export function localQueueUrl(baseUrl: string, queueName: string): string {
  return `${baseUrl}/${localIdentity.accountId}/${queueName}`;
}

export function localArn(service: string, resource: string): string {
  const { partition, region, accountId } = localIdentity;
  return `arn:${partition}:${service}:${region}:${accountId}:${resource}`;
}

/** What `AWS::StackId` stands for. */
export function localStackId(stackName: string): string {
  return localArn('cloudformation', `stack/${stackName}/local`);
}

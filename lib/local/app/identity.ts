/** What the local runtime says it is, to SDK clients and to handlers. */
export const localIdentity = {
  region: 'us-east-1',
  accountId: '000000000000',
  partition: 'aws',
  urlSuffix: 'amazonaws.com',
  /** DynamoDB Local takes letters and digits only. */
  credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
} as const;

export function localArn(service: string, resource: string): string {
  const { partition, region, accountId } = localIdentity;
  return `arn:${partition}:${service}:${region}:${accountId}:${resource}`;
}
